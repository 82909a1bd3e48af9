/**
 * Roles that staff add. Nobody adds, changes or removes one that is not below his own, nor gives one a permission that he
 * does not hold himself. The built-in ones stay as they are.
 */
import { z } from 'zod';
import { holdersOf } from '../../actors/account/profile/staff.queries.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { roleAsItCounts } from '../../actors/instance/roles/roles.queries.ts';
import type { RoleContent } from '../../actors/instance/roles/roles.records.ts';
import { bitsOf, builtInRoles, type HeldRole, positionMax, rolePermissionNames } from '../../actors/policy/roles.ts';
import { allRoles, findRole } from '../../actors/roles.queries.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { type Caller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { demandAll, demandHigherRole } from '../permissions.ts';
import { blank, invalid, refuseFields, taken, tooLong } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';

export interface ListedRole {
  readonly role: HeldRole;
  /** How many have it; undefined for the users, who are not counted. */
  readonly holders: number | undefined;
}

/** Commands send it as they read it. */
const givenId = z.coerce.bigint();
const permission = z.enum(rolePermissionNames);

const content = {
  name: z.string().optional(),
  /** Three or six hexadecimal digits, with `#` or without; nothing for none. */
  color: z.string().optional(),
  highlighted: z.boolean().optional(),
  position: z.int().optional(),
  permissions: z.array(permission).optional(),
  needsTwoFactor: z.boolean().optional(),
};
type Given = { readonly [Field in keyof typeof content]?: z.infer<(typeof content)[Field]> };

/** From the highest position to the lowest. */
export const listRoles = operation({
  input: z.object({}),
  permission: 'manageRoles',
  audit: reads,
  run: ({ services }): ListedRole[] => allRoles(services.snapshots).map((role) => listed(services, role)),
});

export const showRole = operation({
  input: z.object({ roleId: givenId }),
  permission: 'manageRoles',
  audit: reads,
  /** Throws Failure notFound. */
  run({ services }, { roleId }): ListedRole {
    const found = allRoles(services.snapshots).find(({ id }) => id === roleId.toString());
    if (found === undefined) throw new Failure('notFound');
    return listed(services, found);
  },
});

export const addRole = operation({
  input: z.object(content),
  permission: 'manageRoles',
  audit: 'addRole',
  /** Throws FieldsRefused, and Failure forbidden for more than the caller has. */
  async run({ caller, services, audit }, given): Promise<ListedRole> {
    const checked = contentOf(services, given, { ...builtInRoles.user, name: '', position: 0, bits: 0 });
    demandOwn(caller, services, checked);
    const message = Instance.addRole.to(instanceKey, { ...checked, audit });
    const { roleId } = await services.client.call(message, flowOf(caller));
    return listed(services, { ...checked, id: roleId.toString() });
  },
});

export const editRole = operation({
  input: z.object({ roleId: givenId, ...content }),
  permission: 'manageRoles',
  audit: 'editRole',
  on: inferior,
  /** What is not given stays. Throws Failure notFound, FieldsRefused, and forbidden for more than the caller has. */
  async run({ caller, services, audit }, { roleId, ...given }, before): Promise<ListedRole> {
    const checked = contentOf(services, given, before);
    demandOwn(caller, services, checked);
    const message = Instance.editRole.to(instanceKey, { roleId, content: checked, audit });
    await services.client.call(message, flowOf(caller));
    return listed(services, { ...checked, id: before.id });
  },
});

export const removeRole = operation({
  input: z.object({ roleId: givenId }),
  permission: 'manageRoles',
  audit: 'removeRole',
  on: inferior,
  /** Whoever has it is a user then. Throws Failure notFound. */
  run: ({ caller, services, audit }, { roleId }) =>
    services.client.call(Instance.removeRole.to(instanceKey, { roleId, audit }), flowOf(caller)),
});

/** For `on`: one that staff have added, below the role of the caller. Throws Failure notFound, forbidden and validation. */
function inferior({ caller, services }: OperationContext, { roleId }: { readonly roleId: bigint }): HeldRole {
  const role = findRole(services.snapshots, roleId);
  const builtIn = Object.values(builtInRoles).find(({ id }) => id === roleId.toString());
  if (builtIn !== undefined) throw validationFailure('The built-in roles cannot be changed');
  if (role === undefined) throw new Failure('notFound');
  demandHigherRole(caller, role, services);
  return role;
}

function demandOwn(caller: Caller, services: Services, content: RoleContent): void {
  const role = { ...content, id: '' };
  demandHigherRole(caller, role, services);
  demandAll(caller, role, services);
}

function listed({ snapshots }: Pick<Services, 'snapshots'>, role: HeldRole): ListedRole {
  return {
    role: roleAsItCounts(snapshots, role),
    holders: role.builtIn === 'user' ? undefined : holdersOf(snapshots, role).length,
  };
}

/** Throws FieldsRefused. */
function contentOf({ snapshots }: Pick<Services, 'snapshots'>, given: Given, before: HeldRole): RoleContent {
  const name = cleanText(given.name ?? before.name);
  const color = colorOf(given.color ?? before.color);
  const { position = before.position } = given;
  const { roleNameCharactersMax: max } = instanceLimits;
  const isTaken = allRoles(snapshots).some((other) => other.id !== before.id && isNamed(other, name));
  refuseFields({
    name: name === '' ? [blank] : exceedsCharacters(name, max) ? [tooLong(max)] : isTaken ? [taken] : [],
    color: color === undefined ? [invalid] : [],
    position: position < 0 || position > positionMax ? [invalid] : [],
  });
  return {
    ...{ name, color: color ?? '', position },
    isHighlighted: given.highlighted ?? before.isHighlighted,
    bits: given.permissions === undefined ? before.bits : bitsOf(given.permissions),
    needsTwoFactor: given.needsTwoFactor ?? before.needsTwoFactor,
  };
}

function isNamed({ name, builtIn }: HeldRole, given: string): boolean {
  const typed = given.toLowerCase();
  return typed === name.toLowerCase() || typed === builtIn;
}

/** Undefined for what is no colour. */
function colorOf(given: string): string | undefined {
  const digits = given.trim().replace(/^#/, '').toLowerCase();
  if (digits === '') return '';
  if (/^[0-9a-f]{6}$/.test(digits)) return `#${digits}`;
  return /^[0-9a-f]{3}$/.test(digits) ? `#${[...digits].map((digit) => digit + digit).join('')}` : undefined;
}
