/**
 * Bells: who follows with `notify` hears of each new status (Mastodon API: notifications of type `status`). The followed
 * account keeps who asked, and tells those alone; each of them decides by its own follow, mutes and blocks.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { notificationLimits } from '../../../runtime/limits.ts';
import { readsLanguage } from '../../policy/home.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { following, mutes } from '../relationships/relationships.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { bells } from './notifications.state.ts';
import { addNotification } from './notify.ts';

/** On the author. */
export function ringBells(turn: AccountTurn, message: BodyOf<typeof Account.ringBells>): undefined {
  const { statusId, language, afterFollowerId } = message;
  if (turn.get(statuses, [statusId]) === undefined) return;
  const author = turn.self.key;
  const limit = notificationLimits.bellsPerTurn;
  const from = afterFollowerId === undefined ? undefined : afterFollowerId + 1n;
  const slice = Array.from(turn.range(bells, [author], { from, limit }), ({ key }) => key[1]);
  for (const followerId of slice)
    turn.tell(Account.followedPublished.to(followerId, { by: author, statusId, language }));
  if (slice.length === limit)
    turn.tell(Account.ringBells.to(author, { statusId, language, afterFollowerId: slice.at(-1)! }));
}

/** On the follower. What is not in the home of somebody, because of a mute or its language, rings no bell. */
export function followedPublished(
  turn: AccountTurn,
  { by, statusId, language }: BodyOf<typeof Account.followedPublished>,
): undefined {
  const follow = turn.get(following, [turn.self.key, by]);
  if (follow?.state !== 'accepted' || !follow.notify || !readsLanguage(follow, language)) return;
  const mute = turn.get(mutes, [turn.self.key, by]);
  if (mute !== undefined && (mute.expiresAt === undefined || mute.expiresAt > turn.now)) return;
  addNotification(turn, { type: 'status', fromId: by, statusId });
}
