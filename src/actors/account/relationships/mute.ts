/** Mutes. The muted account is not informed. A mute with a duration ends by a durable timer. */

import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { relationshipHooks } from '../hooks-of-relationships.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { hiddenAccountsChanged } from './relationships.events.ts';
import { mutes, mutesByTime } from './relationships.state.ts';

/**
 * Mutes, or changes a mute: notifications and duration are those of this call; 0 seconds means without end. Throws
 * forbidden for the account itself.
 */
export function mute(turn: AccountTurn, message: BodyOf<typeof Account.mute>): undefined {
  ownProfile(turn);
  const { targetId, hideNotifications, durationSeconds } = message;
  if (targetId === turn.self.key) throw new Failure('forbidden');
  const before = turn.get(mutes, [turn.self.key, targetId]);
  const muteId = before?.id ?? turn.nextId();
  const expiresAt = durationSeconds > 0 ? turn.now + durationSeconds * 1_000 : undefined;
  turn.put(mutes, [turn.self.key, targetId], { id: muteId, hideNotifications, expiresAt });
  if (before === undefined) turn.put(mutesByTime, [turn.self.key, muteId], { id: targetId });
  if (expiresAt !== undefined) turn.schedule(expiresAt, Account.muteExpired.to(turn.self.key, { targetId, muteId }));
  const told = { isNew: before === undefined, hidesNotifications: hideNotifications };
  for (const hooks of relationshipHooks) hooks.muted?.(turn, targetId, told);
  turn.emit(hiddenAccountsChanged, { accountId: turn.self.key, targetId });
}

export function unmute(turn: AccountTurn, { targetId }: BodyOf<typeof Account.unmute>): undefined {
  const before = turn.get(mutes, [turn.self.key, targetId]);
  if (before !== undefined) removeMute(turn, targetId, before.id);
}

/** Does nothing when the mute was prolonged, ended or made anew since the timer was set. */
export function muteExpired(turn: AccountTurn, message: BodyOf<typeof Account.muteExpired>): undefined {
  const { targetId, muteId } = message;
  const before = turn.get(mutes, [turn.self.key, targetId]);
  if (before === undefined || before.id !== muteId) return;
  if (before.expiresAt !== undefined && before.expiresAt <= turn.now) removeMute(turn, targetId, muteId);
}

function removeMute(turn: AccountTurn, targetId: Id, muteId: Id): void {
  turn.delete(mutes, [turn.self.key, targetId]);
  turn.delete(mutesByTime, [turn.self.key, muteId]);
  for (const hooks of relationshipHooks) hooks.unmuted?.(turn, targetId);
  turn.emit(hiddenAccountsChanged, { accountId: turn.self.key, targetId });
}
