/** The states of an appeal against a strike. Pure. */
import type { Appeal } from '../account/notifications/notifications.records.ts';

/** Each with the number under which its appeals are listed: append-only. */
export const appealStates = { pending: 1, approved: 2, rejected: 3 } as const;
export type AppealState = keyof typeof appealStates;
export const appealStateNames = Object.keys(appealStates) as [AppealState, ...AppealState[]];

export function stateOfAppeal({ isApproved }: Appeal): AppealState {
  if (isApproved === undefined) return 'pending';
  return isApproved ? 'approved' : 'rejected';
}
