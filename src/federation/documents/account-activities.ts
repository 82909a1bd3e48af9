/** Activities of an account about itself (its profile, its move, its featured tags), and its reports. */
import { findCollection } from '../../actors/account/collections/collections.queries.ts';
import { findKeyPair, findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { publicDelete } from './activities.ts';
import { actorDocument } from './actor-document.ts';
import { addressOfCollection } from './collection-tag.ts';
import { actorContext, hashtagContext, plainContext } from './contexts.ts';
import { hashtagDocument } from './featured-tags.ts';
import { accountAddress } from './note-document.ts';
import { statusAddress } from './quote-documents.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';
import { publicAudience } from './vocabulary.ts';

export const accountActivities: Renderings<
  'updateAccount' | 'deleteAccount' | 'move' | 'featureTag' | 'unfeatureTag' | 'flag'
> = {
  updateAccount: profileChange,
  deleteAccount: removal,
  move,
  featureTag: (intent, translating) => featuringTag('Add', intent, translating),
  unfeatureTag: (intent, translating) => featuringTag('Remove', intent, translating),
  flag: report,
};

/** Throws an Error when the account has no keys yet. */
function profileChange({ actorId, activityId }: IntentOf<'updateAccount'>, translating: Translating): JsonObject {
  const { reader, addresses, actor } = translating;
  const profile = findProfile(reader, actorId)!;
  const keys = findKeyPair(reader, actorId);
  if (keys === undefined) throw new Error(`${actor} has no keys yet`);
  return {
    '@context': actorContext,
    id: addresses.activity(activityId),
    type: 'Update',
    actor,
    to: [publicAudience],
    object: actorDocument(reader, addresses, profile, keys),
  };
}

/** As Mastodon sends it: the object is the actor itself. */
function removal({ activityId }: IntentOf<'deleteAccount'>, translating: Translating): JsonObject {
  return publicDelete(activityId, translating.actor, translating);
}

/** To the followers, who may follow the new account. Undefined when the target was deleted. */
function move({ activityId, targetId }: IntentOf<'move'>, translating: Translating): JsonObject | undefined {
  const { reader, addresses, actor, username } = translating;
  const target = accountAddress(reader, addresses, targetId);
  if (target === undefined) return undefined;
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Move',
    actor,
    to: [addresses.followers(username)],
    object: actor,
    target,
  };
}

/** For Mastodon; the specification names the account's Update, which is sent too. */
function featuringTag(
  type: 'Add' | 'Remove',
  { activityId, tag }: IntentOf<'featureTag' | 'unfeatureTag'>,
  { addresses, username, actor }: Translating,
): JsonObject {
  return {
    '@context': hashtagContext,
    id: addresses.activity(activityId),
    type,
    actor,
    to: [publicAudience],
    cc: [addresses.followers(username)],
    object: hashtagDocument(addresses, username, tag),
    target: addresses.featured(username),
  };
}

/** Names the account first, as Mastodon does; it has no audience. What is gone is left out. */
function report(
  { activityId, targetId, reportId }: IntentOf<'flag'>,
  translating: Translating,
): JsonObject | undefined {
  const { reader, addresses, actor } = translating;
  const target = accountAddress(reader, addresses, targetId);
  const kept = findReport(reader, reportId);
  if (target === undefined || kept === undefined) return undefined;
  const statuses = kept.statusIds.flatMap((statusId) => statusAddress(reader, addresses, statusId) ?? []);
  const collections = (kept.collectionIds ?? []).flatMap((collectionId) => {
    const collection = findCollection(reader, collectionId);
    return (collection && addressOfCollection(reader, addresses, collection)) ?? [];
  });
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type: 'Flag',
    actor,
    content: kept.comment,
    object: [target, ...statuses, ...collections],
  };
}
