/** What folders of before get at a start, entry by entry; a whole folder of format 2 is former-folder.test.ts. */
import { expect, test } from 'vitest';
import { profiles, staff } from '../../../src/actors/account/profile/profile.state.ts';
import { migrations } from '../../../src/server/folder/migrations.ts';
import { testProfile } from '../../support/profile.ts';

test.each([
  ['user', []],
  ['moderator', [[7n, { role: 'moderator' }]]],
  ['admin', [[7n, { role: 'admin' }]]],
] as const)('format 5 lists the staff: %s', (role, listed) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 5)!;
  expect(keyspaces).toEqual([profiles.number]);
  const profile = { ...testProfile({ username: 'alice' }), id: 7n, role };
  const { keys, values } = change({ key: profiles.encode([7n]), value: profiles.value.encode(profile) });
  expect(keys.map((key, index) => [staff.decode(key)[0], staff.value.decode(values[index]!)])).toEqual(listed);
});
