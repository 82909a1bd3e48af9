/** The keyspace of roles that staff have added: 190. */
import { record } from '../runtime/codec.ts';
import { hashedString, id, keyspace } from '../runtime/storage/keyspace.ts';
import { instanceLimits } from './instance/limits.ts';
import { RoleContent } from './instance/roles/roles.records.ts';

export const roles = keyspace<[string, bigint], RoleContent>({
  number: 190,
  name: 'roles',
  owner: 'instance',
  key: [hashedString('instance'), id('role')],
  value: record(RoleContent),
  bound: { by: 'count', entries: instanceLimits.rolesMax },
});
