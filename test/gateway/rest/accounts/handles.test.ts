import { beforeEach, describe, expect, test } from 'vitest';
import { accountIdOfHandle } from '../../../../src/operations/accounts/handles.ts';
import type { Person } from '../../../actors/account/observer.ts';
import { People } from '../../../actors/account/people.ts';

const host = 'here.example';
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
    ' alice ',
  ])('names a local account: %s', (handle) => {
    expect(accountIdOfHandle(people.server.read, handle, host)).toBe(alice.id);
  });

  test.each(['bob@remote.example:8443', '@Bob@Remote.Example:8443'])('names a remote account: %s', (handle) => {
    expect(accountIdOfHandle(people.server.read, handle, host)).toBe(bob.id);
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
    expect(accountIdOfHandle(people.server.read, handle, host)).toBeUndefined();
  });
});
