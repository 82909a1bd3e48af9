/** Removes what a suspended account left here, once it was kept long enough, or at once where staff want that. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profiles } from '../profile/profile.state.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { removeData } from './remove-data.ts';

/** Does nothing where the suspension was undone, or began again later. */
export function suspendedDataDue(
  turn: AccountTurn,
  { until }: BodyOf<typeof moderationMessages.suspendedDataDue>,
): undefined {
  const profile = turn.get(profiles, [turn.self.key]);
  if (profile?.dataKeptUntil === until) removeData(turn, profile);
}

export function removeSuspended(
  turn: AccountTurn,
  { audit }: BodyOf<typeof moderationMessages.removeSuspended>,
): undefined {
  const profile = ownProfile(turn);
  const isTemporary = profile.suspendedAt !== undefined && profile.dataRemovedAt === undefined;
  if (!isTemporary || profile.isSuspendedByOrigin === true) throw new Failure('forbidden');
  recordAudit(turn, audit, { targetId: turn.self.key, name: profile.username });
  removeData(turn, profile);
}
