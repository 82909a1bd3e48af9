/** The endpoints of accounts as staff see them, and of decisions about local ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { AdminAccountEntity } from '../../../../src/gateway/entities/admin/accounts.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addAccount, addWithToken } from '../../../support/sign-up.ts';

let gateway: TestGateway;
let token: string;
let ownId: bigint;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token, id: ownId } = await addWithToken(gateway, 'mona', { role: 'moderator' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const ask = (method: string, id: bigint | string, verb = '') =>
  gateway.json(`/api/v1/admin/accounts/${id}${verb}`, { method, token });

test('an account that waits is shown with its reason, and approved', async () => {
  const id = await addAccount(gateway.actors, 'bob', { approved: false, reason: 'I like birds' });
  const { status, body } = await ask('GET', id);
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  expect(body).toMatchObject({
    id: String(id),
    username: 'bob',
    domain: null,
    email: 'bob@example.org',
    invite_request: 'I like birds',
    role: { id: '0' },
    confirmed: true,
    approved: false,
    account: { acct: 'bob' },
  });
  expect(await ask('POST', id, '/approve')).toMatchObject({ status: 200, body: { approved: true } });
});

test.each([
  ['enable', 'disabled', { disabled: true }],
  ['unsilence', 'silenced', { limited: true }],
  ['unsuspend', 'suspended', { suspended: true }],
] as const)('%s ends that an account is %s', async (verb, field, change) => {
  const id = await addAccount(gateway.actors, `is_${field}`);
  await gateway.actors.call(Account.changeLogin.to(id, change));
  expect((await ask('GET', id)).body).toMatchObject({ [field]: true });
  expect(await ask('POST', id, `/${verb}`)).toMatchObject({ status: 200, body: { [field]: false } });
});

test('nobody decides about an equal, and unknown accounts are not found', async () => {
  expect((await ask('POST', ownId, '/enable')).status).toBe(403);
  for (const id of ['1', 'word']) {
    expect((await ask('GET', id)).status).toBe(404);
    expect((await ask('POST', id, '/approve')).status).toBe(404);
  }
});
