/**
 * What the relay says to a server that subscribes: answers to its Follow, and the relay's own Follow of its actor. And what
 * this server says to a relay of others.
 */
import { type JsonObject, parseJsonObject } from '../../outbound/fetcher/json.ts';
import { undoActivity } from '../documents/activities.ts';
import { plainContext } from '../documents/contexts.ts';
import type { IntentOf, Renderings, Translating } from '../documents/translating.ts';
import { publicAudience } from '../documents/vocabulary.ts';
import { activityLimits } from '../limits.ts';

export const subscriptionActivities: Renderings<
  | ('acceptSubscription' | 'rejectSubscription' | 'followSubscriber' | 'unfollowSubscriber')
  | ('followRelay' | 'unfollowRelay' | 'updateRelay')
> = {
  acceptSubscription: (intent, translating) => answer('Accept', intent, translating),
  rejectSubscription: (intent, translating) => {
    const activity = answer('Reject', intent, translating);
    return activity && { ...activity, summary: intent.reason };
  },
  followSubscriber: followOf,
  unfollowSubscriber: (intent, translating) =>
    undoActivity(intent.activityId, followOf(intent, translating), translating),
  followRelay: joining,
  updateRelay: change,
  unfollowRelay: (intent, translating) => undoActivity(intent.activityId, joining(intent, translating), translating),
};

/** Repeats the Follow as received: Mastodon recognises the answer by the id in it, and by nothing else. */
function answer(
  type: 'Accept' | 'Reject',
  { activityId, follower, follow }: IntentOf<'acceptSubscription' | 'rejectSubscription'>,
  { addresses, actor }: Translating,
): JsonObject | undefined {
  const object = parseJsonObject(Buffer.from(follow, 'utf8'), activityLimits.jsonDepthMax);
  if (object === undefined) return undefined;
  const { '@context': _context, ...repeated } = object;
  const id = addresses.activity(activityId);
  return { '@context': plainContext, id, type, actor, to: [follower], object: repeated };
}

function followOf(
  { follower, followId }: IntentOf<'followSubscriber' | 'unfollowSubscriber'>,
  { addresses, actor }: Translating,
): JsonObject {
  return { '@context': plainContext, id: addresses.activity(followId), type: 'Follow', actor, object: follower };
}

/** Without an audience, as Mastodon writes it: a relay knows it by its object. */
function joining(
  { object, followId }: IntentOf<'followRelay' | 'unfollowRelay'>,
  { addresses, actor }: Translating,
): JsonObject {
  return { '@context': plainContext, id: addresses.activity(followId), type: 'Follow', actor, object };
}

/** Names the actor, which is to be fetched: its document has the new key, and what staff have called the relay. */
function change({ activityId }: IntentOf<'updateRelay'>, { addresses, actor }: Translating): JsonObject {
  const id = addresses.activity(activityId);
  return { '@context': plainContext, id, type: 'Update', actor, to: [publicAudience], object: actor };
}
