/** The keyspace of the rotation of all keys: 121. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, keyspace } from '../../../runtime/storage/keyspace.ts';
import { KeyRotation } from './keys.records.ts';

/** The last one. */
export const keyRotations = keyspace<[string], KeyRotation>({
  number: 121,
  name: 'key rotations',
  owner: 'instance',
  absentIfDamaged: true,
  key: [hashedString('instance')],
  value: record(KeyRotation),
  bound: { by: 'count', entries: 1 },
});
