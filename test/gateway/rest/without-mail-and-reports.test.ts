/** Endpoints for features that this server does not have: annual reports, background refreshes, confirmation mails. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { annualReportEndpoints } from '../../../src/gateway/rest/annual-reports/annual-reports.endpoints.ts';
import { asyncRefreshEndpoints } from '../../../src/gateway/rest/async-refreshes/async-refreshes.endpoints.ts';
import { emailEndpoints } from '../../../src/gateway/rest/emails/emails.endpoints.ts';
import { instanceEndpoints } from '../../../src/gateway/rest/instance/instance.endpoints.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addPerson, changeLogin, startGateway } from '../oauth/people.ts';

let gateway: TestGateway;
let aliceId: bigint;
let token: string;

beforeEach(async () => {
  gateway = startGateway({
    endpoints: [...annualReportEndpoints, ...asyncRefreshEndpoints, ...emailEndpoints, ...instanceEndpoints],
  });
  aliceId = await addPerson(gateway, 'alice');
  const rights = { clientId: 'c', applicationId: 7n, scopes: ['read', 'write'], dialect: 'mastodon' as const };
  ({ token } = await issueToken(gateway.services, { ...rights, accountId: aliceId }));
});

afterEach(() => gateway.close());

const notFound = { status: 404, body: { error: 'Record not found' } };

test.each<[string, string, { status: number; body: unknown }]>([
  ['GET', '/api/v1/annual_reports', { status: 200, body: { annual_reports: [], accounts: [], statuses: [] } }],
  ['GET', '/api/v1/annual_reports/2025', notFound],
  ['GET', '/api/v1/annual_reports/2025/state', { status: 200, body: { state: 'ineligible' } }],
  ['GET', '/api/v1/annual_reports/word/state', notFound],
  ['POST', '/api/v1/annual_reports/2025/generate', { status: 200, body: {} }],
  ['POST', '/api/v1/annual_reports/2025/read', notFound],
  ['GET', '/api/v1_alpha/async_refreshes/abc', notFound],
])('%s %s', async (method, path, expected) => {
  expect(await gateway.json(path, { method, token })).toEqual(expected);
  expect((await gateway.json(path, { method })).status).toBe(401);
});

describe('the e-mail address', () => {
  const check = () => gateway.json('/api/v1/emails/check_confirmation', { token });
  const send = () => gateway.json('/api/v1/emails/confirmations', { token, method: 'POST' });

  test('is confirmed, and needs no further mail', async () => {
    expect(await check()).toEqual({ status: 200, body: true });
    expect(await send()).toEqual({
      status: 403,
      body: { error: 'This method is only available while the e-mail is awaiting confirmation' },
    });
  });

  test('is not, and staff must confirm it; nothing else is open until then', async () => {
    await changeLogin(gateway, aliceId, { confirmed: false });
    expect(await check()).toEqual({ status: 200, body: false });
    expect(await send()).toEqual({
      status: 403,
      body: { error: 'This server sends no mail: its staff confirms addresses' },
    });
    const unconfirmed = { status: 403, body: { error: 'Your login is missing a confirmed e-mail address' } };
    expect(await gateway.json('/api/v1/preferences', { token })).toEqual(unconfirmed);
    await changeLogin(gateway, aliceId, { confirmed: true });
    expect(await check()).toEqual({ status: 200, body: true });
    expect((await gateway.json('/api/v1/preferences', { token })).status).toBe(200);
  });

  test("of a disabled account is nobody's to ask about", async () => {
    await changeLogin(gateway, aliceId, { confirmed: false, disabled: true });
    expect(await check()).toEqual({ status: 403, body: { error: 'Your login is currently disabled' } });
  });
});
