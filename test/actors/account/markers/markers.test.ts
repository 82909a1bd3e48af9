import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { markersOf } from '../../../../src/actors/account/markers/markers.queries.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let alice: Person;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
});

const move = (lastReadId: bigint, seenVersion: number) => ({ lastReadId, seenVersion });
const markers = () => markersOf(people.server.read, alice.id);

test('the answer has the version and time of each moved marker; the others stay', async () => {
  const first = people.server.clock.now();
  const both = { home: move(12n, 0), notifications: move(7n, 0) };
  await people.server.call(Account.moveMarkers.to(alice.id, both));
  people.server.clock.advance(60_000);
  const second = people.server.clock.now();
  const home = { lastReadId: 11n, version: 2, updatedAt: second };
  expect(await people.server.call(Account.moveMarkers.to(alice.id, { home: move(11n, 1) }))).toEqual({ home });
  expect(markers()).toEqual({ home, notifications: { lastReadId: 7n, version: 1, updatedAt: first } });
});

test.each([
  ['an older version', { home: move(20n, 0) }],
  ['a version that nobody wrote', { home: move(20n, 2) }],
  ['one of two that was moved meanwhile', { home: move(20n, 1), notifications: move(20n, 4) }],
])('%s is a conflict, and moves nothing', async (_what, moves) => {
  await people.server.call(Account.moveMarkers.to(alice.id, { home: move(12n, 0) }));
  const before = markers();
  await expect(people.server.call(Account.moveMarkers.to(alice.id, moves))).rejects.toMatchObject({ code: 'conflict' });
  expect(markers()).toEqual(before);
});
