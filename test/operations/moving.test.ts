/** Aliases, and moving to an account of another server, which is fetched at that moment. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { movingLimits } from '../../src/actors/account/moving/limits.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { addAlias, removeAlias } from '../../src/operations/moving/aliases.ts';
import { moveAccount } from '../../src/operations/moving/move-account.ts';
import { hashPassword } from '../../src/operations/registration/passwords.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

const password = 'correct horse battery';
const cheapCost = { memoryKibibytes: 8, iterations: 1 };

let callers: Callers;
let alice: Person;
let rita: Person;

beforeEach(async () => {
  callers = new Callers();
  alice = callers.people.local('alice', {}, { passwordHash: await hashPassword(password, cheapCost) });
  rita = callers.people.remote('rita', 'there.example');
});

const profileOf = ({ id }: Person) => findProfile(callers.services.snapshots, id)!;
const move = () => moveAccount(callers.as(alice), { handle: 'rita@there.example', password });

/** The address of the account leads to what its server shows by then. */
function serve(alsoKnownAs: string[]): void {
  const { uri } = profileOf(rita).remote!;
  callers.addresses.set(uri, {
    get accountId() {
      callers.people.learn(rita, { alsoKnownAs });
      return rita.id;
    },
  });
}

test('goes to an account whose server names this one when it is asked now', async () => {
  await expect(move()).rejects.toMatchObject({ code: 'validation' });
  serve([]);
  await expect(move()).rejects.toMatchObject({ code: 'validation' });
  expect(profileOf(alice).movedTo).toBeUndefined();
  serve(['https://here.example/users/alice']);
  await move();
  expect(profileOf(alice).movedTo).toBe(rita.id);
});

test('is told to the servers of accounts that block this one, each once, besides those of followers', async () => {
  const { people } = callers;
  const [one, other, far] = [
    people.remote('one', 'blocking.example'),
    people.remote('other', 'blocking.example'),
    people.remote('far', 'far.example'),
  ];
  for (const blocker of [one, other, far, people.local('near')])
    await people.server.call(Account.block.to(blocker.id, { targetId: alice.id }));
  serve(['https://here.example/users/alice']);
  people.takeDeliveries();
  await move();
  const told = people.takeDeliveries().filter(({ intent }) => intent.kind === 'move');
  expect(told.flatMap(({ inboxes }) => inboxes).sort()).toEqual([
    'https://blocking.example/inbox',
    'https://far.example/inbox',
  ]);
});

test('aliases have a bound, and each is there once', async () => {
  const names = Array.from({ length: movingLimits.aliasesMax }, (_, number) => `person_${number}`);
  for (const name of names) callers.people.local(name);
  for (const name of [...names, names[0]!]) await addAlias(callers.as(alice), { handle: name });
  expect(profileOf(alice).aliasIds).toHaveLength(names.length);
  await expect(addAlias(callers.as(alice), { handle: 'rita@there.example' })).rejects.toMatchObject({
    code: 'validation',
  });
  await removeAlias(callers.as(alice), { accountId: profileOf(alice).aliasIds![0]! });
  await addAlias(callers.as(alice), { handle: 'rita@there.example' });
  expect(profileOf(alice).aliasIds?.at(-1)).toBe(rita.id);
});
