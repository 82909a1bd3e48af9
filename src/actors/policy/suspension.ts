/** Who suspended an account of another server: this server's own decision is final, that of its server may end any day. */
import type { Profile } from '../account/profile/profile.records.ts';

/** By this server, and not by the account's own. */
export function isSuspendedHere({
  suspendedAt,
  isSuspendedByOrigin,
}: Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin'>): boolean {
  return suspendedAt !== undefined && isSuspendedByOrigin !== true;
}
