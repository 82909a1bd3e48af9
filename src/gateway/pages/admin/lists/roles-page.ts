/** /admin/roles: what the roles may do; and /admin/roles/:id: who has one, given and taken. */

import { holdersOf } from '../../../../actors/account/profile/staff.queries.ts';
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import {
  type HeldRole,
  permissionsOf,
  positionMax,
  type RolePermission,
  rolePermissionNames,
} from '../../../../actors/policy/roles.ts';
import { changeRole, mayGive } from '../../../../operations/administration/change-role.ts';
import {
  addRole,
  editRole,
  type ListedRole,
  listRoles,
  removeRole,
  showRole,
} from '../../../../operations/administration/roles.ts';
import { hasHigherRole } from '../../../../operations/permissions.ts';
import { Failure, validationFailure } from '../../../../runtime/errors.ts';
import { parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import type { RawRoute } from '../../../route.ts';
import { problemSentence } from '../../failure-sentence.ts';
import { nameOfRole, roleMark } from '../../parts/role-mark.ts';
import { accountLink, actButton, askingButton, checkbox, formHead, listOf, perform } from '../parts.ts';
import { sections } from '../sections.ts';
import { staffForm } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

interface RoleDraft {
  readonly name: string;
  readonly color: string;
  readonly position: string;
  readonly highlighted: boolean;
  readonly needsTwoFactor: boolean;
  readonly permissions: readonly RolePermission[];
}

const { address, permission } = sections.roles;

/** Shown at once. */
const holdersShown = 200;

function permissionFields({ words: { roles } }: StaffVisit, chosen: readonly RolePermission[]): Html {
  const rows = rolePermissionNames.map(
    (name) =>
      html`<label class="choice"><input type="checkbox" name="permissions" value="${name}"${chosen.includes(name) && html` checked`}> <span>${roles.names[name]}</span></label>`,
  );
  return html`<fieldset class="field"><legend>${roles.permissions}</legend>${rows}</fieldset>`;
}

function inputOf({ position, ...draft }: RoleDraft) {
  if (!/^\d{1,4}$/.test(position.trim())) throw validationFailure('The position is no number.');
  return { ...draft, permissions: [...draft.permissions], position: Number(position) };
}

function draftOf({ role }: ListedRole): RoleDraft {
  const { name, color, position, isHighlighted: highlighted, needsTwoFactor } = role;
  return { name, color, position: String(position), highlighted, needsTwoFactor, permissions: permissionsOf(role) };
}

function numbered(id: string): bigint {
  if (!/^\d{1,19}$/.test(id)) throw new Failure('notFound');
  return BigInt(id);
}

/** One that staff have added, below the role of the visitor. */
function mayChange({ caller, services }: StaffVisit, role: HeldRole): boolean {
  return role.builtIn === undefined && hasHigherRole(caller, role, services);
}

const routes = listedRoutes({
  section: 'roles',
  address,
  words: ({ roles }) => roles,
  list: (visit) => ({ items: listRoles(visit, {}) }),
  row(visit, { role, holders }: ListedRole) {
    const { roles } = visit.words;
    const { formats } = visit.words;
    const may = permissionsOf(role).map((name) => roles.names[name]);
    return html`<div class="line row"><a class="what" href="${address}/${role.id}" dir="auto">${roleMark(visit.words, role)}</a>${
      role.builtIn !== undefined
        ? html`<span class="badge">${roles.builtIn}</span>`
        : mayChange(visit, role) &&
          askingButton(`/web${address}/${role.id}/remove`, roles.removeMore, roles.removeHint, roles.remove)
    }</div>
<p class="fine">${role.position >= 0 && roles.position({ number: role.position })}${holders !== undefined && html` · ${roles.holders({ count: holders })}`}</p>
${may.length > 0 && html`<p>${formats.list(may)}</p>`}`;
  },
  empty: {
    ...{ name: '', color: '', position: '5', highlighted: true, needsTwoFactor: false },
    permissions: [],
  } as RoleDraft,
  fields(visit, draft, problems) {
    const { roles } = visit.words;
    const problem = (field: string) => ({ problem: problemSentence(visit.words, problems[field]) });
    return html`${textField({ name: 'name', label: roles.name, ...problem('name'), value: draft.name, limit: instanceLimits.roleNameCharactersMax, isRequired: true })}
<div class="pairs">${textField({ name: 'color', label: roles.color, hint: roles.colorHint, ...problem('color'), value: draft.color, isCode: true, limit: 7 })}
${textField({ name: 'position', label: roles.positionLabel, hint: roles.positionHint, ...problem('position'), value: draft.position, isCode: true, isRequired: true, limit: String(positionMax).length })}</div>
${checkbox('highlighted', draft.highlighted, roles.highlighted)}
${checkbox('two_factor', draft.needsTwoFactor, roles.needsTwoFactor, roles.needsTwoFactorHint)}
${permissionFields(visit, draft.permissions)}`;
  },
  draftIn: (fields) => ({
    name: fields.get('name') ?? '',
    color: fields.get('color') ?? '',
    position: fields.get('position') ?? '',
    highlighted: fields.get('highlighted') !== undefined,
    needsTwoFactor: fields.get('two_factor') !== undefined,
    permissions: rolePermissionNames.filter((name) => fields.all('permissions').includes(name)),
  }),
  add: async (form, draft) => perform(form, addRole, inputOf(draft)),
  added: 'roleAdded',
  change: {
    find: (visit, id) => showRole(visit, { roleId: numbered(id) }),
    draftOf,
    words: ({ roles }) => ({ title: roles.change, button: roles.save }),
    apply: async (form, id, draft) => perform(form, editRole, { roleId: numbered(id), ...inputOf(draft) }),
    changed: 'roleChanged',
    isFixed: (visit, { role }) => !mayChange(visit, role),
    more: people,
  },
  removal: { remove: ({ visit }, id) => removeRole(visit, { roleId: numbered(id) }), removed: 'roleRemoved' },
});

/** Who has it; and a form to give it. */
function people(visit: StaffVisit, { role }: ListedRole): Html | undefined {
  if (role.builtIn === 'user') return undefined;
  const { roles } = visit.words;
  const { snapshots } = visit.services;
  const mayTake = hasHigherRole(visit.caller, role, visit.services);
  const rows = holdersOf(snapshots, role, holdersShown)
    .slice(0, holdersShown)
    .map(
      (id) =>
        html`<div class="line row"><span class="what">${accountLink(visit, findProfile(snapshots, id))}</span>${mayTake && actButton(`/web${address}/${role.id}/take/${id}`, roles.take)}</div>`,
    );
  return html`<section aria-labelledby="holders"><h2 class="list" id="holders">${roles.whoHas({ role: nameOfRole(visit.words, role) })}</h2>
${listOf(visit, roles.who, rows, roles.nobody)}</section>
${mayGive(visit, role) && giveForm(visit, role)}`;
}

function giveForm(visit: StaffVisit, role: HeldRole): Html {
  const { roles } = visit.words;
  return html`<form class="card plain settings" method="post" action="/web${address}/${role.id}/give">
<h2>${roles.give}</h2>
${formHead(visit)}
${textField({ name: 'account', label: roles.account, hint: roles.accountHint, value: '', isCode: true, isRequired: true })}
<button type="submit">${roles.giveButton}</button></form>`;
}

const give = staffForm(`/web${address}/:id/give`, permission, async (form, { pathParameters: { id = '' } }) => {
  await changeRole(form.visit, { account: form.fields.get('account') ?? '', role: id });
  return redirect(`${address}/${encodeURIComponent(id)}?done=roleGiven`, 303);
});

const take = staffForm(
  `/web${address}/:id/take/:account`,
  permission,
  async (form, { pathParameters: { id = '', account = '' } }) => {
    const accountId = parseId(account);
    if (accountId === undefined) throw new Failure('notFound');
    await changeRole(form.visit, { account: accountId, role: 'user' });
    return redirect(`${address}/${encodeURIComponent(id)}?done=roleTaken`, 303);
  },
);

export const roleRoutes: readonly RawRoute<GatewayServices>[] = [...routes, give, take];
