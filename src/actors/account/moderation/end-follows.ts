/**
 * A remote account that staff have suspended no longer follows anybody here: its server still delivers to it what it follows.
 * It is told so, and those who lose a follower are too. Whoever follows it keeps the follow, as long as the suspension can be
 * undone (behaviour of the Mastodon API).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { isSuspendedHere } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profiles } from '../profile/profile.state.ts';
import { actingAccount } from '../profile/profile.turn.ts';
import { following } from '../relationships/relationships.state.ts';
import { removeFollowing } from '../relationships/store-follow.ts';
import type { moderationMessages } from './moderation.messages.ts';

const endedPerTurn = 100;

/** Ends early where the suspension was undone. */
export function endFollowsOfSuspended(
  turn: AccountTurn,
  { slice = 0 }: BodyOf<typeof moderationMessages.endFollowsOfSuspended>,
): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  const { by, byDestination } = actingAccount(turn);
  if (profile?.domain === undefined || byDestination === undefined || !isSuspendedHere(profile)) return;
  const { domain, username } = profile;
  const followed = [...turn.range(following, [by], { limit: endedPerTurn })];
  for (const { key, value } of followed) {
    const told = { by, acct: `${username}@${domain}`, domain, followId: value.id, isFollower: true, byDestination };
    removeFollowing(turn, key[1]);
    turn.tell(Account.severed.to(key[1], told));
  }
  if (followed.length > 0) turn.tell(Account.endFollowsOfSuspended.to(by, { slice: slice + 1 }));
}
