/** What is kept of sign-ins, for how long, and of how many. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { signInLimits } from '../../../../src/actors/account/sign-ins/limits.ts';
import { addressesOf, formerEmailsOf, signInsOf } from '../../../../src/actors/account/sign-ins/sign-ins.queries.ts';
import { keyOfAddress, keysOfRange, parseRange, textOfAddressKey } from '../../../../src/actors/policy/addresses.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const day = 24 * 60 * 60 * 1000;
let people: People;
let alice: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
});

const read = () => people.server.read;
const now = () => people.server.clock.now();
const history = () => signInsOf(read(), alice.id, { limit: 400 }).items;
const addresses = () => addressesOf(read(), alice.id).map(({ address }) => address);

function signIn(address: string, { succeeded = true, days = 365 } = {}): void {
  const until = now() + days * day;
  people.server.callNow(Account.signedIn.to(alice.id, { way: 'password', address, until, succeeded }));
}

test('a sign-in is kept with its time and address, the latest first', () => {
  signIn('192.0.2.1');
  people.server.clock.advance(1_000);
  signIn('2001:db8::1');
  signIn('192.0.2.9', { succeeded: false });
  expect(history()).toMatchObject([
    { address: '192.0.2.9', succeeded: false },
    { address: '2001:db8::1', succeeded: true, way: 'password', at: now() },
    { address: '192.0.2.1', at: now() - 1_000 },
  ]);
  expect(addresses()).toEqual(['2001:db8::1', '192.0.2.1']);
});

test('an address that is used is written once a day', () => {
  const use = () =>
    people.server.callNow(Account.addressUsed.to(alice.id, { address: '192.0.2.1', until: now() + day }));
  use();
  const first = addressesOf(read(), alice.id);
  people.server.clock.advance(60_000);
  use();
  expect(addressesOf(read(), alice.id)).toEqual(first);
  people.server.clock.advance(day);
  use();
  expect(addressesOf(read(), alice.id)).toEqual([{ address: '192.0.2.1', usedAt: now() }]);
  expect(history()).toEqual([]);
});

test('everything goes when its time has come, also what was to be kept for less', () => {
  signIn('192.0.2.1', { days: 10 });
  signIn('192.0.2.2', { days: 3 });
  people.server.callNow(Account.changeLogin.to(alice.id, { email: 'new@example.org' }));
  people.server.clock.advance(4 * day);
  expect([history().length, addresses()]).toEqual([1, ['192.0.2.1']]);
  people.server.clock.advance(7 * day);
  expect([history(), addresses()]).toEqual([[], []]);
  expect(formerEmailsOf(read(), alice.id)).toMatchObject([{ email: 'alice@example.org' }]);
  people.server.clock.advance(365 * day);
  expect(formerEmailsOf(read(), alice.id)).toEqual([]);
});

describe('there are bounds', () => {
  test('of sign-ins; those that fail do not push out the others, and are kept once an hour', () => {
    signIn('192.0.2.1');
    for (let number = 0; number < 3; number += 1) signIn('192.0.2.2', { succeeded: false });
    expect(history()).toHaveLength(2);
    for (let number = 0; number < 2 * signInLimits.failedSignInsMax; number += 1)
      signIn(`198.51.100.${number}`, { succeeded: false });
    expect(history()).toHaveLength(1 + signInLimits.failedSignInsMax);
    for (let number = 0; number < signInLimits.signInsMax + 5; number += 1) signIn(`203.0.113.${number}`);
    expect(history()).toHaveLength(signInLimits.signInsMax + signInLimits.failedSignInsMax);
  });

  test('of addresses: the one used longest ago goes', () => {
    for (let number = 0; number <= signInLimits.addressesMax; number += 1) {
      signIn(`203.0.113.${number}`);
      people.server.clock.advance(1_000);
    }
    expect(addresses()).toHaveLength(signInLimits.addressesMax);
    expect(addresses()).not.toContain('203.0.113.0');
  });

  test('of former e-mail addresses', () => {
    for (let number = 0; number <= signInLimits.formerEmailsMax; number += 1)
      people.server.callNow(Account.changeLogin.to(alice.id, { email: `alice${number}@example.org` }));
    expect(formerEmailsOf(read(), alice.id)).toHaveLength(signInLimits.formerEmailsMax);
  });
});

test('nothing stays of an account that is removed, and nothing is added', () => {
  signIn('192.0.2.1');
  people.server.callNow(Account.changeLogin.to(alice.id, { email: 'new@example.org', suspended: true }));
  people.server.callNow(Account.removeSuspended.to(alice.id, {}));
  people.server.settle();
  signIn('192.0.2.2');
  expect([history(), addresses(), formerEmailsOf(read(), alice.id)]).toEqual([[], [], []]);
});

describe('addresses as keys', () => {
  test.each([
    '0.0.0.0',
    '192.0.2.255',
    '::',
    '2001:db8::1',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('%s', (text) => {
    expect(textOfAddressKey(keyOfAddress(text)!)).toBe(text);
  });

  test('an address that is mapped into IPv6 is the same, and no address has no key', () => {
    expect(keyOfAddress('::ffff:192.0.2.1')).toEqual(keyOfAddress('192.0.2.1'));
    expect(keyOfAddress('192.0.2')).toBeUndefined();
  });

  test.each([
    ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
    ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/96', '2001:db8::', '2001:db8::ffff:ffff'],
  ])('%s is from %s to %s', (range, first, last) => {
    const keys = keysOfRange(parseRange(range)!);
    expect([textOfAddressKey(keys.first), textOfAddressKey(keys.last)]).toEqual([first, last]);
  });
});
