/** Operations of staff and the operator; the command line is tested in gateway/operator. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/operations/administration/create-account.ts';
import { showAccount } from '../../src/operations/administration/show-account.ts';
import { type OperatorCaller, operator } from '../../src/operations/caller.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let asOperator: OperationContext<OperatorCaller>;

beforeEach(() => {
  callers = new Callers();
  asOperator = { caller: operator, services: callers.services };
  callers.people.local('bob');
});

describe('an account that the operator creates', () => {
  test('has the password that was drawn, and none when one was given', async () => {
    const wish = { username: 'carol', email: 'carol@example.org', confirmed: false, approved: true };
    expect(await createAccount(asOperator, wish)).toEqual({
      accountId: expect.any(BigInt),
      drawnPassword: expect.stringMatching(/^\S{24}$/),
    });
    const other = { ...wish, username: 'dora', email: 'dora@example.org', password: 'a good password' };
    expect(await createAccount(asOperator, other)).toMatchObject({ drawnPassword: undefined });
    expect(showAccount(asOperator, { username: '@carol' })).toMatchObject({ login: { confirmed: false } });
  });

  test.each([
    ['a name that is none', { username: 'a b' }, 'A user name has 1 to 30 letters, digits and underscores.'],
    ['an address that is none', { email: 'nowhere' }, 'nowhere is not an e-mail address.'],
    ['a name that bob has', { username: 'Bob' }, 'There is an account with the user name Bob already.'],
  ])('is refused with %s', async (_case, changes, message) => {
    const wish = { username: 'carol', email: 'carol@example.org', confirmed: true, approved: true, ...changes };
    await expect(createAccount(asOperator, wish)).rejects.toMatchObject({ code: 'validation', message });
  });
});

test('who is not there is told by name', () => {
  expect(() => showAccount(asOperator, { username: 'nobody' })).toThrow('There is no account nobody.');
});
