/**
 * Authentication of every endpoint, as declared: without a token, with a token of an application, with insufficient and
 * sufficient scopes, with a revoked token, for accounts that may not sign in, and for one that has moved.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { failures } from '../../src/gateway/http/failures.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import type { Endpoint, Method } from '../../src/gateway/route.ts';
import { createToken } from '../../src/operations/administration/create-token.ts';
import { revokeToken } from '../../src/operations/applications/revoke-token.ts';
import { knownScopes } from '../../src/operations/applications/scopes.ts';
import { operator } from '../../src/operations/caller.ts';
import type { FailureCode } from '../../src/runtime/errors.ts';
import type { Services } from '../../src/services/services.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { addAccount } from '../support/sign-up.ts';

const refusals = [
  'tokenInvalid',
  'userRequired',
  'scopeMissing',
  'streamScopeMissing',
  'loginDisabled',
  'loginUnconfirmed',
  'loginPending',
] as const satisfies readonly FailureCode[];
type Admission = (typeof refusals)[number] | 'let in';

/** Open in the dialect `mastodon` only, which is not that of the tokens. */
const searches: ReadonlySet<string> = new Set(['/api/v1/search', '/api/v2/search']);

const dialect = 'specification';
const manyScopes = [...knownScopes].join(' ');

let gateway: TestGateway;
const people = new Map<string, bigint>();
/** A token for each scope, of somebody who may sign in. */
const tokensByScope = new Map<string, string>();
/** Of everything, otherwise. */
const tokens = {} as Record<'nonsense' | 'revoked' | 'application' | 'suspended' | 'disabled' | 'moved', string>;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  for (const name of ['member', 'suspended', 'disabled', 'moved'])
    people.set(name, await addAccount(gateway.actors, name));
  for (const scope of knownScopes) tokensByScope.set(scope, await tokenOf('member', scope));
  tokens.nonsense = 'no-such-token';
  tokens.revoked = await tokenOf('member', manyScopes);
  await revokeToken(
    { caller: operator, services: gateway.services },
    { clientId: 'command-line', token: tokens.revoked },
  );
  for (const name of ['suspended', 'disabled', 'moved'] as const) tokens[name] = await tokenOf(name, manyScopes);
  for (const [name, change] of [
    ['suspended', { suspended: true }],
    ['disabled', { disabled: true }],
  ] as const)
    await gateway.actors.call(Account.changeLogin.to(people.get(name)!, change));
  await gateway.actors.call(Account.move.to(people.get('moved')!, { targetId: people.get('member')! }));
  tokens.application = await applicationToken();
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

async function tokenOf(username: string, scopes: string): Promise<string> {
  const { token } = await createToken({ caller: operator, services: gateway.services }, { username, scopes, dialect });
  return token;
}

async function applicationToken(): Promise<string> {
  const wish = { client_name: 'An app', redirect_uris: 'https://app.example/', scopes: manyScopes, dialect };
  const { client_id, client_secret } = (await gateway.json('/api/v1/apps', { json: wish })).body;
  const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: manyScopes };
  return String((await gateway.json('/oauth/token', { json: grant })).body.access_token);
}

async function admissionOf(method: Method, path: string, token: string | undefined): Promise<Admission> {
  const response = await gateway.fetch(path.replace(/:\w+/g, '1'), { method, token });
  expect(response.status).toBeLessThan(500);
  const text = await response.text();
  return (
    refusals.find((code) => response.status === failures[code].status && text.includes(failures[code].text)) ?? 'let in'
  );
}

/** What the declaration says, of each kind of token. */
function expectedOf({
  path,
  authentication,
  sufficientScopes,
  scopeFailure,
  admitsMoved,
}: Endpoint<Services>): Record<string, Admission> {
  if (authentication === 'none')
    return {
      none: 'let in',
      application: 'let in',
      nonsense: 'let in',
      revoked: 'let in',
      suspended: 'let in',
      disabled: 'let in',
      moved: 'let in',
    };
  const isOpen = authentication === 'optional';
  return {
    none: isOpen ? 'let in' : 'tokenInvalid',
    application: authentication === 'user' || searches.has(path) ? 'userRequired' : 'let in',
    nonsense: 'tokenInvalid',
    revoked: 'tokenInvalid',
    suspended: 'loginDisabled',
    disabled: 'loginDisabled',
    moved: authentication === 'user' && !admitsMoved ? 'loginDisabled' : 'let in',
    ...(sufficientScopes.length > 0 && { 'another scope': scopeFailure as Admission }),
    ...Object.fromEntries(sufficientScopes.map((scope) => [scope, 'let in'] as const)),
  };
}

// Streams look at scopes by channel, and have tests of that (streams.test.ts).
const rows = endpoints
  .filter(({ path }) => !path.includes('/streaming'))
  .flatMap((endpoint) => endpoint.methods.map((method) => [method, endpoint.path, endpoint] as const));

test.each(rows)('%s %s', async (method, path, endpoint) => {
  const expected = expectedOf(endpoint);
  const other = [...knownScopes].find((scope) => !endpoint.sufficientScopes.includes(scope));
  const tokenFor = (kind: string) =>
    kind === 'another scope'
      ? tokensByScope.get(other!)
      : (tokensByScope.get(kind) ?? tokens[kind as keyof typeof tokens]);
  const found = Object.keys(expected).map(async (kind) => [kind, await admissionOf(method, path, tokenFor(kind))]);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(expected);
});
