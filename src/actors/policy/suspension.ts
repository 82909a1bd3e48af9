/** Who suspended a remote account: this server's own decision is final, one of the account's server may end any day. */
import type { Profile } from '../account/profile/profile.records.ts';

/** True where this server did, not the account's own. */
export function isSuspendedHere({
  suspendedAt,
  isSuspendedByOrigin,
}: Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin'>): boolean {
  return suspendedAt !== undefined && isSuspendedByOrigin !== true;
}
