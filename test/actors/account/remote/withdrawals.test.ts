import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { withdrawalLimits } from '../../../../src/actors/account/remote/limits.ts';
import { statusIdOfUri } from '../../../../src/actors/account/statuses/statuses.queries.ts';
import { signatureLimits } from '../../../../src/federation/signatures/limits.ts';
import { Circle } from '../../../support/circle.ts';
import type { Person } from '../../../support/observer.ts';

let circle: Circle;
let bob: Person;

beforeEach(async () => {
  circle = new Circle();
  bob = await circle.remote('bob', 'remote.test', 1);
});

const remove = (uri: string) => circle.server.call(Account.receiveDelete.to(bob.id, { uri }));
const isKept = (uri: string) => statusIdOfUri(circle.server.read, uri) !== undefined;

test('what was deleted is refused for as long as its signature may count', async () => {
  const { lifetimeMillisecondsMax, clockSkewMilliseconds } = signatureLimits;
  expect(withdrawalLimits.lifetimeMilliseconds).toBeGreaterThanOrEqual(
    lifetimeMillisecondsMax + 2 * clockSkewMilliseconds,
  );
  await circle.receive(bob, 'https://remote.test/notes/1');
  await remove('https://remote.test/notes/1');
  circle.server.clock.advance(withdrawalLimits.lifetimeMilliseconds - 2_000);
  await expect(circle.receive(bob, 'https://remote.test/notes/1')).rejects.toMatchObject({ code: 'notFound' });
  circle.server.clock.advance(1_000);
  await circle.receive(bob, 'https://remote.test/notes/1');
  expect(isKept('https://remote.test/notes/1')).toBe(true);
});

test('nothing is left of it afterwards', async () => {
  const before = circle.entryCounts();
  for (let number = 0; number < withdrawalLimits.sweptPerTurn + 50; number += 1) {
    circle.server.clock.advance(1_000);
    await remove(`https://remote.test/notes/${number}`);
  }
  expect(circle.entryCounts()).not.toEqual(before);
  circle.server.clock.advance(withdrawalLimits.lifetimeMilliseconds + 1_000);
  expect(circle.entryCounts()).toEqual(before);
});

test('an account has a bound of its own, above which the oldest is forgotten', async () => {
  for (let number = 0; number < withdrawalLimits.perAccountMax; number += 1) await remove(`uri:${number}`);
  const full = circle.entryCounts();
  await remove(`uri:${withdrawalLimits.perAccountMax}`);
  expect(circle.entryCounts()).toEqual(full);
  await circle.receive(bob, 'uri:0');
  await expect(circle.receive(bob, 'uri:1')).rejects.toMatchObject({ code: 'notFound' });
}, 20_000);

test('what is deleted again and again is kept once', async () => {
  await remove('uri:1');
  const once = circle.entryCounts();
  for (let time = 0; time < 10; time += 1) await remove('uri:1');
  expect(circle.entryCounts()).toEqual(once);
});
