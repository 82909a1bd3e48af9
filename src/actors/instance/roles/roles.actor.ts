/** Keeps the roles that staff add. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import { recordAudit } from '../../audit.state.ts';
import { permissionsOf } from '../../policy/roles.ts';
import { roles } from '../../roles.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { roleChanged } from './roles.events.ts';
import type { roleMessages } from './roles.messages.ts';
import type { RoleContent } from './roles.records.ts';

type Body<Name extends keyof typeof roleMessages> = BodyOf<(typeof roleMessages)[Name]>;

export function addRole(turn: InstanceTurn, { audit, ...content }: Body<'addRole'>): { roleId: Id } {
  const { key } = turn.self;
  if (countEntries(turn, roles, [key]) >= instanceLimits.rolesMax)
    throw validationFailure('There are too many roles: remove some first');
  demandUnused(turn, content);
  const roleId = turn.nextId();
  turn.put(roles, [key, roleId], content);
  recordAudit(turn, audit, { targetId: roleId, name: content.name, after: factsOf(content) });
  return { roleId };
}

export function editRole(turn: InstanceTurn, { roleId, content, audit }: Body<'editRole'>): undefined {
  const before = roleOf(turn, roleId);
  demandUnused(turn, content, roleId);
  turn.put(roles, [turn.self.key, roleId], { ...before, ...content });
  recordAudit(turn, audit, {
    targetId: roleId,
    name: content.name,
    before: factsOf(before),
    after: factsOf(content),
  });
  turn.emit(roleChanged, { roleId });
}

/** Whoever had it is a user from now on: the id is never given again. */
export function removeRole(turn: InstanceTurn, { roleId, audit }: Body<'removeRole'>): undefined {
  const before = roleOf(turn, roleId);
  turn.delete(roles, [turn.self.key, roleId]);
  recordAudit(turn, audit, { targetId: roleId, name: before.name, before: factsOf(before) });
  turn.emit(roleChanged, { roleId });
}

function roleOf(turn: InstanceTurn, roleId: Id): RoleContent {
  const found = turn.get(roles, [turn.self.key, roleId]);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

/** Names tell roles apart on the command line. */
function demandUnused(turn: InstanceTurn, { name }: RoleContent, roleId?: Id): void {
  for (const { key, value } of turn.range(roles, [turn.self.key]))
    if (key[1] !== roleId && value.name.toLowerCase() === name.toLowerCase())
      throw validationFailure('Name has already been taken');
}

function factsOf({ bits, ...content }: RoleContent) {
  return { ...content, permissions: permissionsOf({ bits }).join(' ') };
}
