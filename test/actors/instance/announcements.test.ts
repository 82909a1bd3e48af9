/** Stored data of announcements, which is deleted with them. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { hasDismissed } from '../../../src/actors/account/announcements/announcements.queries.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import {
  hasReacted,
  listAnnouncements,
  reactionsTo,
} from '../../../src/actors/instance/announcements/announcements.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { announcementForAll, announcementsFor } from '../../../src/operations/announcements/announcements.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { addAccount } from '../../support/sign-up.ts';
import { assertSound } from '../../support/sound.ts';

let server: TestServer;
let alice: bigint;

beforeEach(async () => {
  server = createTestServer({ actors, keyspaces });
  alice = await addAccount(server, 'alice');
});

async function publish(more: object = {}): Promise<bigint> {
  server.clock.advance(1);
  const content = { text: 'Birds', html: '<p>Birds</p>', allDay: false, mentions: [], statuses: [], tags: [], ...more };
  return (await server.call(Instance.publishAnnouncement.to(instanceKey, content))).announcementId;
}

const react = (announcementId: bigint, accountId: bigint, name: string) =>
  server.call(Instance.react.to(instanceKey, { announcementId, accountId, name }));
const withdraw = (announcementId: bigint) =>
  server.call(Instance.withdrawAnnouncement.to(instanceKey, { announcementId }));
const dismiss = (announcementId: bigint) =>
  server.call(
    Account.dismissAnnouncement.to(alice, {
      announcementId,
      present: listAnnouncements(server.read).map(({ id }) => id),
    }),
  );

test('reactions are forgotten with the announcement, however many there are', async () => {
  const id = await publish();
  const people = Array.from(
    { length: instanceLimits.reactionsSweptPerTurn + 1 },
    (_, number) => BigInt(number + 1) << 16n,
  );
  for (const person of people) await react(id, person, '🐦');
  await react(id, alice, '🦆');
  expect(reactionsTo(server.read, id).map(({ count }) => count)).toEqual([people.length, 1]);
  assertSound(server.disks);
  await withdraw(id);
  server.settle();
  expect(reactionsTo(server.read, id)).toEqual([]);
  expect(people.filter((person) => hasReacted(server.read, id, '🐦', person))).toEqual([]);
  expect(hasReacted(server.read, id, '🦆', alice)).toBe(false);
  assertSound(server.disks);
});

test('a reaction that came and went within a second leaves nothing', async () => {
  const id = await publish();
  await react(id, alice, '🐦');
  await react(id, alice, '🦆');
  await server.call(Instance.takeReactionBack.to(instanceKey, { announcementId: id, accountId: alice, name: '🦆' }));
  server.clock.advance(instanceLimits.reactionsToldMilliseconds);
  expect(reactionsTo(server.read, id).map(({ name }) => name)).toEqual(['🐦']);
  assertSound(server.disks);
});

test('what was dismissed of announcements that are gone is forgotten at the next one', async () => {
  const [first, second] = [await publish(), await publish()];
  await dismiss(first);
  await withdraw(first);
  expect(hasDismissed(server.read, alice, first)).toBe(true);
  await dismiss(second);
  expect([first, second].map((id) => hasDismissed(server.read, alice, id))).toEqual([false, true]);
});

test('they are shown in the order of what they announce', async () => {
  const [late, now] = [await publish({ startsAt: server.clock.now() + 60_000 }), await publish()];
  expect(announcementsFor({ snapshots: server.read }, alice).map(({ id }) => id)).toEqual([now, late]);
  expect(announcementForAll({ snapshots: server.read }, late)).toMatchObject({ id: late, isRead: false });
  await withdraw(late);
  expect(announcementForAll({ snapshots: server.read }, late)).toBeUndefined();
});
