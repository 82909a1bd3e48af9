import { describe, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { onBehalfOf } from '../../src/operations/on-behalf.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { Failure, type FailureCode } from '../../src/runtime/errors.ts';
import { Callers } from './callers.ts';

describe('an operation on behalf of an account', () => {
  test('is done as if the account had asked itself', async () => {
    const callers = new Callers();
    const alice = callers.people.local('alice');
    const { statusId } = await publishStatus(onBehalfOf(callers.services, alice.id), {
      text: 'at noon',
      spoilerText: '',
    });
    expect(callers.people.statusRecord(statusId)).toMatchObject({ accountId: alice.id, text: 'at noon' });
  });

  test.each<[string, Parameters<typeof Account.changeLogin.to>[1], FailureCode]>([
    ['whose login is disabled', { disabled: true }, 'loginDisabled'],
    ['that is suspended', { suspended: true }, 'loginDisabled'],
    ['that is not confirmed', { confirmed: false }, 'loginUnconfirmed'],
    ['that is not approved', { approved: false }, 'loginPending'],
  ])('%s is refused', async (_case, change, code) => {
    const callers = new Callers();
    const alice = callers.people.local('alice');
    await callers.people.server.call(Account.changeLogin.to(alice.id, change));
    expect(() => onBehalfOf(callers.services, alice.id)).toThrow(new Failure(code));
  });

  test('of another server is refused, and so is one that does not exist', () => {
    const callers = new Callers();
    const rita = callers.people.remote('rita', 'there.example');
    expect(() => onBehalfOf(callers.services, rita.id)).toThrow(new Failure('forbidden'));
    expect(() => onBehalfOf(callers.services, 1n)).toThrow(new Failure('forbidden'));
  });
});
