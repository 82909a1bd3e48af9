import { expect, test } from 'vitest';
import { knownAccount } from '../../src/operations/accounts/known-account.ts';
import { Callers } from './callers.ts';

test.each([
  ['bob, who is here', 'bob', 'bob'],
  ['rita of another server', 'rita', 'rita'],
  ['carol, who waits to be let in', 'carol', 'notFound'],
  ['nobody', 'nobody', 'notFound'],
])('%s', (_case, name, outcome) => {
  const { people, services } = new Callers();
  const ids = new Map([
    ['bob', people.local('bob').id],
    ['rita', people.remote('rita', 'there.example').id],
    ['carol', people.local('carol', {}, { approved: false }).id],
  ]);
  const find = () => knownAccount(services, ids.get(name) ?? 1n).profile.username;
  if (outcome === 'notFound') expect(find).toThrow(expect.objectContaining({ code: 'notFound' }));
  else expect(find()).toBe(outcome);
});
