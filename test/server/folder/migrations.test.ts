/** The migrations of a start, entry by entry; former-folder.test.ts tests a whole folder of format 2. */
import { expect, test } from 'vitest';
import { profiles, staff } from '../../../src/actors/account/profile/profile.state.ts';
import { remoteTimeline } from '../../../src/actors/timelines.state.ts';
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

test.each([
  ['of this server', true, [[9n]]],
  ['of another', false, []],
] as const)('format 6 takes out of the public timeline a status %s: %s', (_of, local, removed) => {
  const { keyspaces, change } = migrations.find(({ format }) => format === 6)!;
  expect(keyspaces).toEqual([remoteTimeline.number]);
  const entry = { accountId: 7n, local, hasMedia: false };
  const { keys, values } = change({ key: remoteTimeline.encode([9n]), value: remoteTimeline.value.encode(entry) });
  expect(keys.map((key) => remoteTimeline.decode(key))).toEqual(removed);
  expect(values).toEqual(removed.map(() => undefined));
});
