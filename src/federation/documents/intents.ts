/**
 * Renders intents as activities for other servers (specification 6.2). Pure: the same snapshots give the same activity.
 * Ids of activities are never reused, and an Undo, Accept or Reject contains its object with the original id.
 */
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { type Intent, relayActorId, serverActorId } from '../../actors/intents.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import { subscriptionActivities } from '../relay/subscription-activities.ts';
import { accountActivities } from './account-activities.ts';
import { collectionActivities } from './collection-activities.ts';
import { quoteActivities } from './quote-activities.ts';
import { relationshipActivities } from './relationship-activities.ts';
import { replyActivities } from './reply-activities.ts';
import { statusActivities } from './status-activities.ts';
import type { Rendering, Renderings, Translating } from './translating.ts';

export interface Translation {
  readonly signerId: Id;
  readonly signerUsername: string;
  /** With `@context`; undefined when its object was deleted, so that there is nothing to send. */
  readonly activity: JsonObject | undefined;
}

const renderings: Renderings<Intent['kind']> = {
  ...statusActivities,
  ...relationshipActivities,
  ...accountActivities,
  ...quoteActivities,
  ...replyActivities,
  ...collectionActivities,
  ...subscriptionActivities,
};

/**
 * Undefined when the acting account is unknown here. Throws an Error for `updateAccount` of an account without keys:
 * the signer has to generate them first.
 */
export function translateIntent(intent: Intent, reader: Reader, addresses: Addresses): Translation | undefined {
  const { actorId } = intent;
  if (actorId === serverActorId || actorId === relayActorId) {
    const signerUsername = addresses.domain;
    const actor = actorId === serverActorId ? addresses.instanceActor : addresses.relayActor;
    const translating = { reader, addresses, username: signerUsername, actor };
    return { signerId: actorId, signerUsername, activity: activityOf(intent, translating) };
  }
  const profile = findProfile(reader, intent.actorId);
  if (profile === undefined || profile.remote !== undefined) return undefined;
  const { username } = profile;
  const translating = { reader, addresses, username, actor: addresses.actor(username) };
  return { signerId: intent.actorId, signerUsername: username, activity: activityOf(intent, translating) };
}

/** INVARIANT nothing is said of a status that stays on this server, whatever asked for it. */
function activityOf(intent: Intent, translating: Translating): JsonObject | undefined {
  if (namesLocalOnly(intent, translating.reader)) return undefined;
  const render = renderings[intent.kind] as Rendering<Intent['kind']>;
  return render(intent, translating);
}

function namesLocalOnly(intent: Intent, reader: Reader): boolean {
  const ids = [
    'statusId' in intent && intent.statusId,
    'quoteId' in intent && intent.quoteId,
    'replyId' in intent && intent.replyId,
  ];
  return ids.some((id) => typeof id === 'bigint' && findStatusRecord(reader, id)?.localOnly === true);
}
