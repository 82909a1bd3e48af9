/** Relationships of a caller with many accounts: equal to reading each alone, after each change, and in slices. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { relationshipLimits } from '../../src/actors/account/relationships/limits.ts';
import type { GatewayServices } from '../../src/gateway/gateway-services.ts';
import { relationshipsWithMany } from '../../src/operations/relationships/find-relationships.ts';
import type { Person } from '../support/observer.ts';
import { People } from '../support/people.ts';
import { presenting } from '../support/presenting.ts';

let people: People;
let services: GatewayServices;
let alice: Person;
let others: Person[];

beforeEach(() => {
  people = new People();
  services = presenting(people.server);
  alice = people.local('alice');
  others = Array.from({ length: 24 }, (_, index) =>
    index % 3 === 2 ? people.remote(`remote${index}`, `host${index % 2}.example`) : people.local(`local${index}`),
  );
  // As after they were shown: what is kept of them is used.
  for (const { id } of others.slice(0, 16)) services.presenter.account(id);
});

/** The answer, and in how many slices it was made. */
function ask(asked: readonly Person[], withSuspended = true) {
  const query = { viewerId: alice.id, accountIds: asked.map(({ id }) => id), withSuspended };
  const steps = relationshipsWithMany(services, query);
  for (let slices = 1; ; slices += 1) {
    const { done, value } = steps.next();
    if (done) return { found: value, slices };
  }
}

const alone = ({ id }: Person) => findRelationship(people.server.read, alice.id, id, people.server.clock.now());
const expectSame = () => expect(ask(others).found).toEqual(others.map(alone));

const changes: readonly (readonly [string, (other: Person) => unknown])[] = [
  ['follows', (other) => people.follow(alice, other)],
  ['is followed by', (other) => people.follow(other, alice)],
  ['blocks', (other) => people.block(alice, other)],
  ['is blocked by', (other) => people.block(other, alice)],
  ['mutes', (other) => people.mute(alice, other, { seconds: 60 })],
  ['endorses', (other) => people.follow(alice, other).then(() => endorse(other))],
  [
    'writes a note on',
    ({ id }) => people.server.callNow(Account.setNote.to(alice.id, { targetId: id, comment: 'met' })),
  ],
];

function endorse({ id }: Person): unknown {
  return people.server.callNow(Account.endorse.to(alice.id, { targetId: id }));
}

describe.each([
  ['few', 3],
  ['more than are read at once', 12],
])('somebody who has to do with %s', (_many, count) => {
  test.each(changes)('%s others', async (_what, change) => {
    expectSame();
    for (const other of others.slice(0, count)) await change(other);
    expectSame();
  });

  test('has requests of others', async () => {
    people.change(alice, { locked: true });
    for (const other of others.slice(0, count)) await people.follow(other, alice);
    expect(ask(others).found.filter(({ requestedBy }) => requestedBy)).toHaveLength(count);
    expectSame();
  });
});

test('a relationship that has ended is no longer reported', async () => {
  const [bob, carol] = others as [Person, Person];
  await people.mute(alice, bob, { seconds: 60 });
  await people.block(alice, carol);
  expect(ask([bob, carol]).found).toMatchObject([{ mute: {}, blocking: false }, { blocking: true }]);
  await people.unblock(alice, carol);
  people.server.clock.advance(60_000);
  expect(ask([bob, carol]).found).toMatchObject([{ mute: undefined }, { blocking: false }]);
});

test('a blocked domain is reported for each of its accounts', () => {
  expectSame();
  people.server.callNow(Account.blockDomain.to(alice.id, { domain: 'host0.example', followed: [] }));
  expect(ask(others).found.filter(({ domainBlocking }) => domainBlocking)).toHaveLength(4);
  expectSame();
});

test('accounts that are unknown or deleted are left out at once, and suspended ones where they are not wanted', () => {
  const [bob, carol, dave] = others.slice(0, 3) as [Person, Person, Person];
  const nobody: Person = { id: 5n, name: 'nobody', destination: undefined };
  const said = (withSuspended: boolean) =>
    ask([dave, nobody, carol, bob], withSuspended).found.map((one) => one.accountId);
  expect(said(false)).toEqual([dave.id, carol.id, bob.id]);
  people.suspend(carol);
  expect(said(false)).toEqual([dave.id, bob.id]);
  people.server.callNow(Account.remoteAccountDeleted.to(dave.id, {}));
  people.server.settle();
  expect(said(true)).toEqual([carol.id, bob.id]);
});

test('other work runs between slices', () => {
  const { relationshipsMax, relationshipsPerSlice } = relationshipLimits;
  const many = Array.from({ length: relationshipsMax + 1 }, (_, index) => others[index % others.length]!);
  expect(ask(many.slice(0, relationshipsPerSlice))).toMatchObject({ slices: 1 });
  const { found, slices } = ask(many);
  expect(found).toHaveLength(relationshipsMax);
  expect(slices).toBe(relationshipsMax / relationshipsPerSlice);
});
