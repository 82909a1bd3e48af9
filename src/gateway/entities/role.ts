/** The Role and AccountRole entities. What roles may do is declared in actors/policy/roles.ts. */
import { z } from 'zod';
import { collectionLimits } from '../../actors/account/collections/limits.ts';
import { countingBits, type HeldRole } from '../../actors/policy/roles.ts';
import { count, flag, smallId, text } from './values.ts';

export const AccountRoleEntity = z.strictObject({ id: smallId, name: text, color: text });
export type AccountRoleEntity = z.output<typeof AccountRoleEntity>;

export const RoleEntity = AccountRoleEntity.extend({
  /** The bits as a decimal number. */
  permissions: z.string().regex(/^[0-9]+$/),
  highlighted: flag,
  collection_limit: count,
});
export type RoleEntity = z.output<typeof RoleEntity>;

export function roleEntity(role: HeldRole): RoleEntity {
  const { id, name, color, isHighlighted } = role;
  return {
    ...{ id, name, color, permissions: String(countingBits(role)), highlighted: isHighlighted },
    collection_limit: collectionLimits.perLocalAccountMax,
  };
}

/** The roles shown on a profile. */
export function accountRoles({ id, name, color, isHighlighted }: HeldRole): AccountRoleEntity[] {
  return isHighlighted ? [{ id, name, color }] : [];
}
