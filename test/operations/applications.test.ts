/** Operations on codes, tokens and browser sessions; their HTTP side is tested in gateway/oauth and gateway/pages. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { digestOfSecret } from '../../src/actors/session/session.messages.ts';
import { applicationOfClient, browserSessionOf, grantOfToken } from '../../src/actors/session/session.queries.ts';
import { createAccount } from '../../src/operations/administration/create-account.ts';
import { exchangeCode } from '../../src/operations/applications/exchange-code.ts';
import { issueCode } from '../../src/operations/applications/issue-code.ts';
import { issueToken } from '../../src/operations/applications/issue-token.ts';
import { registerApplication } from '../../src/operations/applications/register-application.ts';
import { revokeToken } from '../../src/operations/applications/revoke-token.ts';
import { type AccountCaller, operator } from '../../src/operations/caller.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { closeBrowserSession, openBrowserSession } from '../../src/operations/registration/browser-sessions.ts';
import { registerAccount } from '../../src/operations/registration/register-account.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { addAccount } from '../support/sign-up.ts';

let gateway: TestGateway;
let alice: OperationContext<AccountCaller>;
let application: OperationContext;
let clientId: string;
let code: string;

const redirectUri = 'https://app.example/back';
const verifier = 'a verifier that nobody guesses';
const read = () => gateway.actors.read;

beforeEach(async () => {
  gateway = startTestGateway({ endpoints: [] });
  const { services } = gateway;
  const accountId = await addAccount(gateway.actors, 'alice');
  alice = { caller: { kind: 'account', accountId, limits: unlimited }, services };
  application = { caller: { kind: 'visitor', accountId: undefined, limits: unlimited }, services };
  const wish = { name: 'App', dialect: 'specification' as const, redirectUris: [redirectUri], scopes: ['read'] };
  clientId = (await registerApplication(application, wish)).clientId;
  const { id: applicationId, dialect, scopes } = applicationOfClient(read(), clientId)!;
  const challenge = digestOfSecret(verifier);
  const asked = { clientId, applicationId, dialect, scopes, redirectUri, challenge };
  code = (await issueCode(alice, asked)).code;
});

afterEach(() => gateway.close());

test('a code becomes a token of the account, once', async () => {
  const { token } = await exchangeCode(application, { clientId, code, redirectUri, verifier });
  expect(grantOfToken(read(), token)?.grant).toMatchObject({
    accountId: alice.caller.accountId,
    scopes: new Set(['read']),
  });
  const again = exchangeCode(application, { clientId, code, redirectUri, verifier });
  await expect(again).rejects.toMatchObject({ code: 'invalidGrant' });
  // A code that comes twice was stolen: its token is worth nothing any more.
  expect(grantOfToken(read(), token)).toBeUndefined();
});

test.each([
  ['code', { code: 'another' }],
  ['application', { clientId: 'another' }],
  ['redirect address', { redirectUri: 'https://evil.example/' }],
  ['verifier', { verifier: 'another' }],
  ['missing verifier', { verifier: undefined }],
])('a wrong %s gets no token', async (_what, wrong) => {
  const refused = exchangeCode(application, { clientId, code, redirectUri, verifier, ...wrong });
  await expect(refused).rejects.toMatchObject({ code: 'invalidGrant' });
});

test('a token is ended by its own application, however often', async () => {
  const { token } = await exchangeCode(application, { clientId, code, redirectUri, verifier });
  await expect(revokeToken(application, { clientId: 'another', token })).rejects.toMatchObject({
    code: 'unauthorizedClient',
  });
  expect(grantOfToken(read(), token)).toBeDefined();
  for (let time = 0; time < 2; time += 1) await revokeToken(application, { clientId, token });
  expect(grantOfToken(read(), token)).toBeUndefined();
});

test('a browser is signed in until it signs out', async () => {
  const { secret } = await openBrowserSession(alice, { passwordMark: 'mark', browser: '' });
  const session = () => browserSessionOf(read(), secret, gateway.services.now());
  expect(session()).toMatchObject({ accountId: alice.caller.accountId, passwordMark: 'mark' });
  await closeBrowserSession(alice, { secret });
  expect(session()).toBeUndefined();
});

test('what visitors ask for is not in the flow of the server, which is never refused', async () => {
  const call = vi.spyOn(gateway.services.client, 'call');
  const wish = { name: 'App', redirectUris: [redirectUri], scopes: ['read'] };
  await registerApplication(application, wish);
  const { id: applicationId, dialect, scopes } = applicationOfClient(read(), clientId)!;
  await issueToken(gateway.services, { clientId, applicationId, dialect, scopes });
  const person = { username: 'bob', email: 'bob@mail.example', password: 'long enough a password', agreement: true };
  await registerAccount(application, person);
  expect(call.mock.calls.map(([, flow]) => flow)).toEqual(['visitors', 'visitors', 'visitors']);
  const asOperator = { caller: operator, services: gateway.services };
  await createAccount(asOperator, { username: 'carol', email: 'carol@mail.example', confirmed: true, approved: true });
  expect(call.mock.calls.at(-1)?.[1]).toBe('system');
});
