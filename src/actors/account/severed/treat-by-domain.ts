/**
 * What the rules for its server do to a remote account that is known here. The account keeps what others have decided
 * about it, so that a rule that is taken back takes back its own effect only. Follows that a suspension has ended do not
 * come back.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { withDomainRule, withoutDomainRule } from '../../policy/suspension.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { profiles } from '../profile/profile.state.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { followers, following, followRequests } from '../relationships/relationships.state.ts';
import { removeFollower, removeFollowing, removeRequest } from '../relationships/store-follow.ts';
import type { severedMessages } from './severed.messages.ts';

const severedPerTurn = 100;

export function treatByDomain(
  turn: AccountTurn,
  { severity, domain }: BodyOf<typeof severedMessages.treatByDomain>,
): undefined {
  const before = turn.get(profiles, [turn.self.key]);
  if (before?.remote === undefined || (before.byDomain?.severity ?? 'noop') === severity) return;
  storeProfile(turn, withDomainRule(withoutDomainRule(before), severity, turn.now), before);
  turn.emit(profileChanged, { accountId: turn.self.key });
  if (severity === 'suspend') turn.tell(Account.severFollows.to(turn.self.key, { domain }));
}

/** Its server is told nothing: nothing is sent there any more. Ends early where the rule was taken back. */
export function severFollows(
  turn: AccountTurn,
  { domain, isPurge = false, slice = 0, ...kind }: BodyOf<typeof severedMessages.severFollows>,
): undefined {
  const { key: by } = turn.self;
  const profile = turn.get(profiles, [by]);
  if (profile === undefined || (!isPurge && profile.byDomain?.severity !== 'suspend')) return;
  const acct = `${profile.username}@${profile.domain}`;
  const limit = severedPerTurn;
  const tell = (otherId: bigint, followId: bigint, isFollower: boolean) =>
    turn.tell(Account.severed.to(otherId, { by, acct, domain, followId, isFollower, ...kind }));
  const followed = [...turn.range(following, [by], { limit })];
  for (const { key, value } of followed) {
    removeFollowing(turn, key[1]);
    tell(key[1], value.id, true);
  }
  const present = [...turn.range(followers, [by], { limit })];
  for (const { key, value } of present) {
    removeFollower(turn, key[1]);
    tell(key[1], value.id, false);
  }
  const waiting = [...turn.range(followRequests, [by], { limit })];
  for (const { key, value } of waiting) {
    removeRequest(turn, key[1]);
    tell(key[1], value.id, false);
  }
  const isDone = followed.length + present.length + waiting.length === 0;
  if (!isDone) turn.tell(Account.severFollows.to(by, { domain, isPurge, slice: slice + 1, ...kind }));
  else if (isPurge) turn.tell(Account.purge.to(by, {}));
}
