/** Roles as they count: with what everybody may do, as settings say it. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type HeldRole, sharedBits } from '../../policy/roles.ts';
import { heldRole, type RoleReference } from '../../roles.queries.ts';
import { storedSettings } from '../instance.queries.ts';

export function countingRole(reader: Reader, reference: RoleReference): HeldRole {
  return roleAsItCounts(reader, heldRole(reader, reference));
}

export function roleAsItCounts(reader: Reader, role: HeldRole): HeldRole {
  const shared = sharedBits(storedSettings(reader).invitations);
  return { ...role, ...(role.builtIn === 'user' && { bits: shared }), sharedBits: shared };
}
