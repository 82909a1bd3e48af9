/** Signing up and in as operations; as HTTP they are tested with the endpoints and the pages. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationContext } from '../../src/operations/operation.ts';
import { FieldsRefused } from '../../src/operations/refused-fields.ts';
import { registerAccount } from '../../src/operations/registration/register-account.ts';
import { signIn } from '../../src/operations/registration/sign-in.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let stranger: OperationContext;

beforeEach(() => {
  callers = new Callers();
  const { limits, services } = callers;
  stranger = { caller: { kind: 'visitor', accountId: undefined, limits }, services };
});

const password = 'correct horse battery';
const wish = { username: 'alice', email: 'alice@example.org', password, agreement: true };

test('who has signed up can sign in', async () => {
  const { accountId } = await registerAccount(stranger, wish);
  expect(await signIn(stranger, { email: wish.email, password })).toMatchObject({
    kind: 'done',
    account: { id: accountId },
  });
});

describe('a sign-up', () => {
  test.each([
    ['no name', { username: '' }, { username: ['blank'] }],
    ['a reserved name', { username: 'Admin' }, { username: ['reserved'] }],
    ['a name that bob has', { username: 'BOB' }, { username: ['taken'] }],
    [
      'no address and a short password',
      { email: '', password: 'one' },
      { email: ['blank', 'invalid'], password: ['tooShort'] },
    ],
    ['no agreement', { agreement: false }, { agreement: ['accepted'] }],
  ])('with %s is refused by its fields', async (_case, changes, kinds) => {
    callers.people.local('bob');
    const refused = await registerAccount(stranger, { ...wish, ...changes }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FieldsRefused);
    const { problems } = refused as FieldsRefused;
    expect(
      Object.fromEntries(Object.entries(problems).map(([field, found]) => [field, found.map(({ kind }) => kind)])),
    ).toEqual(kinds);
  });
});

test.each([
  ['an unknown address', { email: 'bob@example.org', password }],
  ['a wrong password', { email: wish.email, password: 'wrong horse battery' }],
])('nobody signs in with %s', async (_case, credentials) => {
  await registerAccount(stranger, wish);
  await expect(signIn(stranger, credentials)).rejects.toMatchObject({ code: 'credentialsInvalid' });
});
