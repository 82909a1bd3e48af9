/** What a profile holds in the blob store. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { StoredPicture } from '../../../src/actors/blob/blob.records.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { createTestServer } from '../../support/actors.ts';
import { entryCounts } from '../../support/entry-counts.ts';
import { People } from '../../support/people.ts';

const server = createTestServer({ actors, keyspaces });
const people = new People(server);
const alice = people.local('alice');

const blob = (name: string) => ({ name, bytes: 9 });
const picture = (name: string, still?: string): StoredPicture => ({
  file: blob(name),
  ...(still === undefined ? {} : { still: blob(still) }),
});
async function change(given: object): Promise<void> {
  await server.call(Account.changeProfile.to(alice.id, given));
  server.settle();
}
const holders = () => entryCounts(server)['blob holders'] ?? 0;

test('each picture is held once, until another takes its place or it is removed', async () => {
  await change({ avatarPicture: picture('one.gif', 'one.png'), headerPicture: picture('one.png') });
  expect(holders()).toBe(3);
  // The file is the same, the still another.
  await change({ avatarPicture: picture('one.gif', 'two.png') });
  expect(holders()).toBe(3);
  await change({ avatarPicture: picture('three.png') });
  expect(holders()).toBe(2);
  await change({ avatarPicture: null, headerPicture: null });
  expect(holders()).toBe(0);
});
