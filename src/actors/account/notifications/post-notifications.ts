/**
 * Notifications of type `status`: for each new status of an account that is followed with `notify`. The followed
 * account informs those followers in slices; each decides by its own follow, mutes and blocks.
 */

import type { BodyOf } from '../../../runtime/contract.ts';
import { readsLanguage } from '../../policy/home.ts';
import { hidesNaming } from '../../policy/visibility.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { followersToNotify, following } from '../relationships/relationships.state.ts';
import { viewerOf } from '../relationships/viewer.queries.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { notificationLimits } from './limits.ts';
import { addNotification } from './notify.ts';

/** Runs on the author. */
export function notifyFollowersOfPost(
  turn: AccountTurn,
  message: BodyOf<typeof Account.notifyFollowersOfPost>,
): undefined {
  const { statusId, language, afterFollowerId } = message;
  const status = turn.get(statuses, [statusId]);
  if (status === undefined) return;
  const { threadId, mentions } = status;
  const mentionedIds = mentions.length === 0 ? undefined : mentions.map(({ id }) => id);
  const author = turn.self.key;
  const limit = notificationLimits.postNotificationsPerTurn;
  const from = afterFollowerId === undefined ? undefined : afterFollowerId + 1n;
  const slice = Array.from(turn.range(followersToNotify, [author], { from, limit }), ({ key }) => key[1]);
  const told = { by: author, statusId, language, threadId, mentionedIds };
  for (const followerId of slice) turn.tell(Account.followedPublished.to(followerId, told));
  if (slice.length === limit)
    turn.tell(Account.notifyFollowersOfPost.to(author, { statusId, language, afterFollowerId: slice.at(-1)! }));
}

/** Runs on the follower. A status that a mute, a mention or its language keeps out of its home causes no notification. */
export function followedPublished(
  turn: AccountTurn,
  { by, statusId, language, threadId, mentionedIds = [] }: BodyOf<typeof Account.followedPublished>,
): undefined {
  const follow = turn.get(following, [turn.self.key, by]);
  if (follow?.state !== 'accepted' || !follow.notify || !readsLanguage(follow, language)) return;
  const follower = viewerOf(turn, turn.self.key, turn.now);
  if (follower.mutes(by) || mentionedIds.some((id) => hidesNaming(follower, id))) return;
  addNotification(turn, { type: 'status', fromId: by, statusId, threadId });
}
