/** Commands about roles. */
import { instanceLimits } from '../../../actors/instance/limits.ts';
import {
  permissionsOf,
  positionMax,
  type RolePermission,
  rolePermissionNames,
  rolePermissions,
} from '../../../actors/policy/roles.ts';
import { changeRole } from '../../../operations/administration/change-role.ts';
import { addRole, editRole, type ListedRole, listRoles, removeRole } from '../../../operations/administration/roles.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, demandChange, either, text, UsageError } from './reading.ts';

const names = rolePermissionNames.map((one) => rolePermissions[one].name);

const flags = {
  color: { value: 'COLOUR', sentence: 'In which apps show its name, such as #8800ff.' },
  position: {
    value: 'NUMBER',
    sentence: `From 0 to ${positionMax}; moderators have 10, admins 100. Nobody acts on an equal or higher one.`,
  },
  permissions: { value: '"PERMISSION …"', sentence: `What it may do: ${names.join(', ')}.` },
  highlighted: { sentence: 'Profiles show it.' },
  'not-highlighted': { sentence: 'They do not.' },
  'two-factor': { sentence: 'Whoever has it needs two-factor authentication.' },
  'no-two-factor': { sentence: 'They do not.' },
};

function contentOf(given: FlagValues) {
  const position = text(given, 'position');
  if (position !== undefined && !/^\d{1,3}$/.test(position))
    throw new UsageError(`--position must be a number from 0 to ${positionMax}, not ${position}.`);
  return {
    color: text(given, 'color'),
    position: position === undefined ? undefined : Number(position),
    permissions: text(given, 'permissions')
      ?.split(/[\s,]+/)
      .filter((name) => name !== '')
      .map(permissionNamed),
    highlighted: either(given, 'highlighted', 'not-highlighted'),
    needsTwoFactor: either(given, 'two-factor', 'no-two-factor'),
  };
}

function permissionNamed(name: string): RolePermission {
  const found = rolePermissionNames.find((one) => rolePermissions[one].name === name);
  if (found === undefined) throw new UsageError(`There is no permission ${name}.`);
  return found;
}

function idOf(given: string) {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of a role.`);
  return given;
}

const list = command({
  words: 'roles list',
  sentence: 'Lists the roles, from the highest position to the lowest.',
  read: () => ({}),
  operation: listRoles,
  print: (roles) => roles.map(lineOf),
});

const add = command({
  words: 'roles add',
  argument: 'NAME',
  flags,
  sentence: 'Adds a role.',
  read: (name, given) => ({ name, ...contentOf(given) }),
  operation: addRole,
  print: (role) => [lineOf(role)],
});

const modify = command({
  words: 'roles modify',
  argument: 'ID',
  flags: { name: { value: 'NAME', sentence: 'Its name.' }, ...flags },
  sentence: 'Changes a role that was added, for everybody who has it; what is not given stays.',
  read(given, chosen) {
    demandChange(chosen);
    return { roleId: idOf(given), name: text(chosen, 'name'), ...contentOf(chosen) };
  },
  operation: editRole,
  print: (role) => [lineOf(role)],
});

const remove = command({
  words: 'roles remove',
  argument: 'ID',
  sentence: 'Removes a role that was added: whoever has it is a user then.',
  read: (given) => ({ roleId: idOf(given) }),
  operation: removeRole,
  print: (_removed, { roleId }) => [`Removed the role ${roleId}.`],
});

const give = command({
  words: 'roles give',
  argument: ['ROLE', 'ACCOUNT'],
  sentence: 'Gives an account a role, by its name or number; user takes any other away.',
  read: (role, _flags, account = '') => ({ account, role }),
  operation: changeRole,
  print: (_given, { account, role }) => [`${account} has the role ${role}.`],
});

function lineOf({ role, holders }: ListedRole): string {
  const { id, name, builtIn, position, isHighlighted, needsTwoFactor } = role;
  const marks = [
    `position ${position}`,
    ...(holders === undefined ? [] : [`${holders} accounts`]),
    ...(isHighlighted ? ['shown'] : []),
    ...(needsTwoFactor ? ['two-factor'] : []),
    permissionsOf(role)
      .map((one) => rolePermissions[one].name)
      .join(' '),
  ];
  return [id, builtIn ?? asOneLine(name, instanceLimits.roleNameCharactersMax), ...marks].join('  ').trimEnd();
}

export const roleCommands = [list, add, modify, remove, give];
