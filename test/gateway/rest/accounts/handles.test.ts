import { beforeEach, describe, expect, test } from 'vitest';
import { accountIdOfHandle } from '../../../../src/operations/accounts/handles.ts';
import { Addresses } from '../../../../src/services/addresses.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const host = 'here.example';
const addresses = new Addresses(`https://social.${host}`, host);
let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.remote('bob', 'remote.example:8443');
});

describe('a handle', () => {
  test.each([
    'alice',
    '@alice',
    'ALICE',
    `alice@${host}`,
    `@Alice@${host.toUpperCase()}`,
    `alice@social.${host}`,
    ' alice ',
  ])('names a local account: %s', (handle) => {
    expect(accountIdOfHandle(people.server.read, handle, addresses)).toBe(alice.id);
  });

  test.each(['bob@remote.example:8443', '@Bob@Remote.Example:8443'])('names a remote account: %s', (handle) => {
    expect(accountIdOfHandle(people.server.read, handle, addresses)).toBe(bob.id);
  });

  test.each([
    ['zoë.k@xn--mnchen-3ya.example', 'zoë.k@münchen.example'],
    ['zoë.k@xn--mnchen-3ya.example', '@ZOË.K@xn--mnchen-3ya.EXAMPLE.'],
    ['there.example@there.example', 'there.example@there.example:443'],
  ])('names %s, who has a name or a server in other letters: %s', (known, typed) => {
    const [username, domain] = known.split('@') as [string, string];
    const person = people.remote(username, domain);
    expect(accountIdOfHandle(people.server.read, typed, addresses)).toBe(person.id);
  });

  test.each([
    '',
    '@',
    'bob',
    'alice@remote.example',
    'alice@@here.example',
    'https://here.example/@alice',
    'a b',
  ])('names nobody: %s', (handle) => {
    expect(accountIdOfHandle(people.server.read, handle, addresses)).toBeUndefined();
  });
});
