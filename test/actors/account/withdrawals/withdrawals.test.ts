import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { statusIdOfUri } from '../../../../src/actors/account/statuses/statuses.queries.ts';
import { withdrawalLimits } from '../../../../src/actors/account/withdrawals/limits.ts';
import { signatureLimits } from '../../../../src/outbound/signatures/limits.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

let people: People;
let bob: Person;

beforeEach(async () => {
  people = new People();
  bob = people.remote('bob', 'remote.test', { partition: 1 });
});

const remove = (uri: string) => people.server.call(Account.receiveDelete.to(bob.id, { uri }));
const isKept = (uri: string) => statusIdOfUri(people.server.read, uri) !== undefined;

test('what was deleted is refused for as long as its signature may count', async () => {
  const { lifetimeMillisecondsMax, clockSkewMilliseconds } = signatureLimits;
  expect(withdrawalLimits.lifetimeMilliseconds).toBeGreaterThanOrEqual(
    lifetimeMillisecondsMax + 2 * clockSkewMilliseconds,
  );
  await people.receive(bob, 'https://remote.test/notes/1');
  await remove('https://remote.test/notes/1');
  people.server.clock.advance(withdrawalLimits.lifetimeMilliseconds - 2_000);
  await expect(people.receive(bob, 'https://remote.test/notes/1')).rejects.toMatchObject({ code: 'notFound' });
  people.server.clock.advance(1_000);
  await people.receive(bob, 'https://remote.test/notes/1');
  expect(isKept('https://remote.test/notes/1')).toBe(true);
});

test('nothing is left of it afterwards', async () => {
  const before = people.entryCounts();
  for (let number = 0; number < withdrawalLimits.sweptPerTurn + 50; number += 1) {
    people.server.clock.advance(1_000);
    await remove(`https://remote.test/notes/${number}`);
  }
  expect(people.entryCounts()).not.toEqual(before);
  people.server.clock.advance(withdrawalLimits.lifetimeMilliseconds + 1_000);
  expect(people.entryCounts()).toEqual(before);
});

test('an account has a bound of its own, above which the oldest is forgotten', async () => {
  for (let number = 0; number < withdrawalLimits.perAccountMax; number += 1) await remove(`uri:${number}`);
  const full = people.entryCounts();
  await remove(`uri:${withdrawalLimits.perAccountMax}`);
  expect(people.entryCounts()).toEqual(full);
  await people.receive(bob, 'uri:0');
  await expect(people.receive(bob, 'uri:1')).rejects.toMatchObject({ code: 'notFound' });
});

test('a deletion that is repeated is stored once', async () => {
  await remove('uri:1');
  const once = people.entryCounts();
  for (let time = 0; time < 10; time += 1) await remove('uri:1');
  expect(people.entryCounts()).toEqual(once);
});
