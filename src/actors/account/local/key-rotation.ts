/**
 * A new key pair for a local account. Other servers hear of it by an Update that is signed with the former key, which they
 * know: that key stays until nothing waits any more that was made with it.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { recordAudit } from '../../audit.state.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { formerKeyMilliseconds, succeeding, withoutFormer } from '../profile/profile.records.ts';
import { ownKeyPair, ownLogin, ownProfile, putKeyPair } from '../profile/profile.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';

export function rotateKeys(
  turn: AccountTurn,
  { pair, since, audit }: BodyOf<typeof Account.rotateKeys>,
): { isNew: boolean } {
  const { username } = ownProfile(turn);
  ownLogin(turn);
  const before = ownKeyPair(turn);
  if (before === undefined || (since !== undefined && before.createdAt >= since)) return { isNew: false };
  const { key: accountId } = turn.self;
  const activityId = turn.nextId();
  putKeyPair(turn, succeeding(pair, before, activityId, turn.now));
  turn.schedule(turn.now + formerKeyMilliseconds, Account.forgetFormerKey.to(accountId, {}));
  recordAudit(turn, audit, { targetId: accountId, name: username });
  turn.emit(profileChanged, { accountId });
  const intent = { kind: 'updateAccount', actorId: accountId, activityId, tellsOfKey: true } as const;
  deliver(turn, intent, { toFollowers: true, toRelays: true, destinations: [] });
  return { isNew: true };
}

/** The timer; a later rotation has one of its own. */
export function forgetFormerKey(turn: AccountTurn): undefined {
  const pair = ownKeyPair(turn);
  if (pair?.former !== undefined) putKeyPair(turn, withoutFormer(pair, turn.now));
}
