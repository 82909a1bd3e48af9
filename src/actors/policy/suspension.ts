/** Who suspended a remote account: this server's own decision is final, one of the account's server may end any day. */
import type { Profile } from '../account/profile/profile.records.ts';

/** True if this server suspended the account, not the account's own server. */
export function isSuspendedHere({
  suspendedAt,
  isSuspendedByOrigin,
  byDomain,
}: Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin' | 'byDomain'>): boolean {
  return suspendedAt !== undefined && (isSuspendedByOrigin !== true || byDomain?.severity === 'suspend');
}
