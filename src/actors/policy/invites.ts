/** Whether an invite lets somebody sign up, as far as the invite itself says it. Pure. */
import { type Failure, type FailureReason, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Invite } from '../instance/invites/invites.records.ts';

/** `ended`: somebody has ended it, or staff have ended all that there were. */
export type InviteState = 'usable' | 'expired' | 'usedUp' | 'ended';

/** `endedBefore`: all invites with a lower id have ended. */
export function inviteStateOf(inviteId: Id, invite: Invite, endedBefore: Id | undefined, now: number): InviteState {
  if (invite.endedAt !== undefined || (endedBefore !== undefined && inviteId < endedBefore)) return 'ended';
  if (invite.expiresAt !== undefined && invite.expiresAt <= now) return 'expired';
  const taken = invite.uses + invite.reserved.length;
  return invite.usesMax !== undefined && taken >= invite.usesMax ? 'usedUp' : 'usable';
}

type Refused = Exclude<InviteState, 'usable'>;

const refusals: Readonly<Record<Refused, readonly [FailureReason, string]>> = {
  expired: ['inviteExpired', 'The invite has expired'],
  usedUp: ['inviteUsedUp', 'The invite has been used as often as it may be'],
  ended: ['inviteEnded', 'The invite has ended'],
};

/** To be thrown. */
export function inviteRefused(state: Refused): Failure {
  const [reason, text] = refusals[state];
  return validationFailure(text, { reason });
}
