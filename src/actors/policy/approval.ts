/** Whether an account may do what an interaction policy governs: quote a status, or feature an account. Pure. */
import type { Approval, Approver } from '../account/account.records.ts';

/** `unknown`: the policy of another server contains something not understood here; its owner may be asked. */
export type Permission = 'automatic' | 'manual' | 'denied' | 'unknown';

/** Who asks. Facts are looked up only when needed: most policies are for everybody or for nobody. */
export interface Asker {
  /** Undefined for a request without a user. */
  readonly accountId: bigint | undefined;
  follows(accountId: bigint): boolean;
  isFollowedBy(accountId: bigint): boolean;
}

export function permissionBy({ automatic, manual }: Approval, ownerId: bigint, asker: Asker): Permission {
  if (asker.accountId === undefined) return 'denied';
  if (asker.accountId === ownerId) return 'automatic';
  const isAmong = (list: readonly Approver[]) => list.some((approver) => matches(approver, ownerId, asker));
  if (isAmong(automatic)) return 'automatic';
  if (isAmong(manual)) return 'manual';
  return [automatic, manual].some((list) => list.includes('unsupported_policy')) ? 'unknown' : 'denied';
}

/** Whether the result may differ between two accounts that are not the owner. */
export function asksForFollow({ automatic, manual }: Approval): boolean {
  return [...automatic, ...manual].some((one) => one === 'followers' || one === 'following');
}

function matches(approver: Approver, ownerId: bigint, asker: Asker): boolean {
  switch (approver) {
    case 'public':
      return true;
    case 'followers':
      return asker.follows(ownerId);
    case 'following':
      return asker.isFollowedBy(ownerId);
    case 'unsupported_policy':
      return false;
  }
}
