/** The endpoints of roles, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import { type RolePermission, rolePermissionNames, rolePermissions } from '../../../actors/policy/roles.ts';
import { changeRole } from '../../../operations/administration/change-role.ts';
import { inspectAccount } from '../../../operations/administration/inspect-account.ts';
import { addRole, editRole, listRoles, removeRole, showRole } from '../../../operations/administration/roles.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AdminAccountEntity, adminAccountEntity } from '../../entities/admin/accounts.ts';
import { AdminRoleEntity, adminRoleEntity } from '../../entities/admin/roles.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, choice, id, integer, list, required, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/roles';
/** The built-in ones have small numbers. */
const roleId = z.string().transform((given) => {
  if (!/^\d{1,19}$/.test(given)) throw new Failure('notFound');
  return BigInt(given);
});
const ofOne = { path: `${path}/:id`, parameters: z.object({ id: roleId }) };
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'] };

const names = rolePermissionNames.map((one) => rolePermissions[one].name) as [string, ...string[]];

const content = {
  name: text,
  color: text,
  highlighted: boolean,
  position: integer,
  /** An empty one takes all away. */
  permission_names: list(choice(names)),
  two_factor_required: boolean,
};

interface Given {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly highlighted?: boolean | undefined;
  readonly position?: number | undefined;
  readonly permission_names?: readonly (string | undefined)[] | undefined;
  readonly two_factor_required?: boolean | undefined;
}

function contentOf({ permission_names: given, two_factor_required: needsTwoFactor, ...plain }: Given) {
  return { ...plain, needsTwoFactor, permissions: given?.flatMap((name) => permissionNamed(name) ?? []) };
}

function permissionNamed(name: string | undefined): RolePermission | undefined {
  return rolePermissionNames.find((one) => rolePermissions[one].name === name);
}

const getRoles = staffEndpoint(listRoles, {
  ...reading,
  method: 'GET',
  path,
  summary: 'Lists the roles, from the highest position to the lowest.',
  answer: z.array(AdminRoleEntity),
  handler: (context) => json(listRoles(context, {}).map(adminRoleEntity)),
});

const getRole = staffEndpoint(showRole, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a role.',
  answer: AdminRoleEntity,
  handler: (context, { id: one }) => json(adminRoleEntity(showRole(context, { roleId: one }))),
});

const postRole = staffEndpoint(addRole, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object(content),
  summary: 'Adds a role.',
  answer: AdminRoleEntity,
  handler: async (context, given) => json(adminRoleEntity(await addRole(context, contentOf(given)))),
});

const putRole = staffEndpoint(editRole, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id: roleId, ...content }),
  summary: 'Changes a role that was added, for everybody who has it; what is not given stays.',
  answer: AdminRoleEntity,
  handler: async (context, { id: one, ...given }) =>
    json(adminRoleEntity(await editRole(context, { roleId: one, ...contentOf(given) }))),
});

const deleteRole = staffEndpoint(removeRole, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a role that was added: whoever has it is a user then.',
  answer: EmptyEntity,
  async handler(context, { id: one }) {
    await removeRole(context, { roleId: one });
    return empty();
  },
});

const giveRole = staffEndpoint(changeRole, {
  scopes: ['admin:write:accounts'],
  method: 'POST',
  path: '/api/murmuration/v1/admin/accounts/:id/role',
  parameters: z.object({ id, role_id: required(text) }),
  summary: 'Gives a local account a role, by its id or its name; that of a user takes any other away.',
  answer: AdminAccountEntity,
  async handler(context, { id: account, role_id: role }) {
    await changeRole(context, { account, role: role ?? '' });
    return json(adminAccountEntity(inspectAccount(context, { accountId: account }), context.services));
  },
});

export const adminRoleEndpoints = [getRoles, getRole, postRole, putRole, deleteRole, giveRole];
