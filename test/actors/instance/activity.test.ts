/** The weekly activity (specification 2.7), counted exactly by turns in every partition. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { activityOf } from '../../../src/actors/instance/instance.queries.ts';
import { dayOf, Session, userKey } from '../../../src/actors/session/session.messages.ts';
import { activityWeeks } from '../../../src/actors/usage.state.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { plainPost } from '../../support/plain-post.ts';
import { addAccount } from '../../support/sign-up.ts';
import { assertSound } from '../../support/sound.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;
let server: TestServer;
let alice: bigint;
let bob: bigint;

/** Alice and bob live in different partitions, and it is Wednesday, 1 January 2025. */
beforeEach(async () => {
  server = createTestServer({ actors, keyspaces });
  alice = await addAccount(server, 'alice');
  bob = await addAccount(server, 'bob');
});

const today = () => dayOf(server.clock.now());
const weeks = () => activityOf(server.read.partitions, today());
const publish = (by: bigint, more: object) => server.call(Account.publish.to(by, plainPost('a post', more)));
const isActive = (account: bigint, day: number) => server.send(Session.userActive.to(userKey(account), { day }));

test.each([
  ['public', 1],
  ['unlisted', 1],
  ['private', 0],
  ['direct', 0],
] as const)('a %s status counts %i', async (visibility, count) => {
  await publish(alice, { visibility });
  expect(weeks()[0]).toMatchObject({ statuses: count });
});

test('a reblog does not count, and a status that is deleted was still written', async () => {
  const { statusId } = await publish(alice, {});
  await server.call(Account.reblog.to(alice, { statusId, by: bob }));
  await server.call(Account.deleteStatus.to(alice, { statusId, destinations: [] }));
  expect(weeks()[0]).toMatchObject({ statuses: 1, registrations: 2 });
  assertSound(server.disks as never);
});

test('who was active counts once in each week, which begins on Monday', () => {
  const wednesday = today();
  for (const day of [wednesday, wednesday + 1, wednesday + 4, wednesday + 5]) isActive(alice, day);
  isActive(bob, wednesday + 4);
  server.clock.advance(5 * dayMilliseconds);
  expect(weeks().slice(0, 3)).toEqual([
    { firstDay: wednesday + 5, statuses: 0, logins: 1, registrations: 0 },
    { firstDay: wednesday - 2, statuses: 0, logins: 2, registrations: 2 },
    { firstDay: wednesday - 9, statuses: 0, logins: 0, registrations: 0 },
  ]);
});

test('twelve weeks are reported, and at most one more is stored', async () => {
  for (let week = 0; week < 15; week += 1) {
    await publish(alice, {});
    server.clock.advance(7 * dayMilliseconds);
  }
  expect(weeks()).toHaveLength(activityWeeks);
  expect(weeks().map(({ statuses }) => statuses)).toEqual([0, ...Array.from({ length: 11 }, () => 1)]);
  const kept = activityOf(server.read.partitions, today() - 7 * 3).filter(({ statuses }) => statuses > 0);
  expect(kept.length).toBeLessThanOrEqual(activityWeeks + 1);
});
