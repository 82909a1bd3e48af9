/**
 * Removes what a suspended account left here, once it was kept long enough: the profile stays, empty and suspended, so that
 * nobody takes its name; everything else goes in slices.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { profiles } from '../profile/profile.state.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { emptied } from '../remote/purge.ts';
import type { moderationMessages } from './moderation.messages.ts';

/** Does nothing where the suspension was undone, or began again later. */
export function suspendedDataDue(
  turn: AccountTurn,
  { until }: BodyOf<typeof moderationMessages.suspendedDataDue>,
): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.dataKeptUntil === until) removeData(turn, profile);
}

function removeData(turn: AccountTurn, profile: Profile): void {
  const { key: accountId } = turn.self;
  const removed = { dataKeptUntil: undefined, dataRemovedAt: turn.now };
  storeProfile(turn, { ...emptied(profile), ...removed }, profile);
  turn.emit(profileChanged, { accountId });
  turn.tell(Account.purge.to(accountId, {}));
}
