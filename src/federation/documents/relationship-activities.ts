/** Activities between accounts: following, blocking, and the answers to a Follow. */

import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import { undoActivity } from './activities.ts';
import { plainContext } from './contexts.ts';
import { accountAddress } from './note-document.ts';
import type { IntentOf, Renderings, Translating } from './translating.ts';

export const relationshipActivities: Renderings<
  'follow' | 'undoFollow' | 'acceptFollow' | 'rejectFollow' | 'block' | 'undoBlock'
> = {
  follow,
  undoFollow: (intent, translating) => undoActivity(intent.activityId, follow(intent, translating), translating),
  acceptFollow: (intent, translating) => answer('Accept', intent, translating),
  rejectFollow: (intent, translating) => answer('Reject', intent, translating),
  block,
  undoBlock: (intent, translating) => undoActivity(intent.activityId, block(intent, translating), translating),
};

function follow({ followId, targetId }: IntentOf<'follow' | 'undoFollow'>, translating: Translating) {
  return towards('Follow', followId, targetId, translating);
}

function block({ blockId, targetId }: IntentOf<'block' | 'undoBlock'>, translating: Translating) {
  return towards('Block', blockId, targetId, translating);
}

function towards(
  type: 'Follow' | 'Block',
  id: Id,
  targetId: Id,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const object = accountAddress(reader, addresses, targetId);
  if (object === undefined) return undefined;
  return { '@context': plainContext, id: addresses.activity(id), type, actor, object };
}

function answer(
  type: 'Accept' | 'Reject',
  { activityId, targetId, followUri }: IntentOf<'acceptFollow' | 'rejectFollow'>,
  { reader, addresses, actor }: Translating,
): JsonObject | undefined {
  const follower = accountAddress(reader, addresses, targetId);
  if (follower === undefined) return undefined;
  const follow = { type: 'Follow', actor: follower, object: actor };
  return {
    '@context': plainContext,
    id: addresses.activity(activityId),
    type,
    actor,
    object: followUri === undefined ? follow : { id: followUri, ...follow },
  };
}
