/** Applications, and tokens obtained without a browser. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signInsOf } from '../../../src/actors/account/sign-ins/sign-ins.queries.ts';
import { grantOfToken } from '../../../src/actors/session/session.queries.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { addPerson, changeLogin, password, redirectUri, registerClient, startGateway } from './people.ts';

let gateway: TestGateway;

beforeEach(() => {
  gateway = startGateway();
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const wish = { client_name: 'An app', redirect_uris: redirectUri };

describe('POST /api/v1/apps', () => {
  test('answers with everything, and with the secret this once', async () => {
    const { status, body } = await gateway.json('/api/v1/apps', {
      form: { ...wish, scopes: 'read write:statuses', website: 'https://app.example' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9]+$/),
      name: 'An app',
      website: 'https://app.example',
      scopes: ['read', 'write:statuses'],
      redirect_uris: [redirectUri],
      redirect_uri: redirectUri,
      client_id: expect.stringMatching(/^[\w-]{43}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      vapid_key: expect.stringMatching(/^B[\w-]{86}$/),
    });
  });

  test.each([
    ['a list', { redirect_uris: ['https://a.example/', 'myapp:/oauth'] }, ['https://a.example/', 'myapp:/oauth']],
    ['lines', { redirect_uris: 'https://a.example/\nmyapp:/oauth' }, ['https://a.example/', 'myapp:/oauth']],
    ['blanks', { redirect_uris: 'https://a.example/ myapp:/oauth' }, ['https://a.example/', 'myapp:/oauth']],
    ['out of band', { redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }, ['urn:ietf:wg:oauth:2.0:oob']],
  ])('takes redirect addresses as %s', async (_name, changes, redirect_uris) => {
    const { body } = await gateway.json('/api/v1/apps', { json: { ...wish, ...changes } });
    expect(body).toMatchObject({ redirect_uris, redirect_uri: redirect_uris.join('\n') });
  });

  test.each([
    ['read is the default', undefined, ['read']],
    ['follow is still taken', 'read write follow push', ['read', 'write', 'follow', 'push']],
    ['retired ones are dropped', 'read crypto', ['read']],
  ])('of scopes %s', async (_name, scopes, expected) => {
    const { body } = await gateway.json('/api/v1/apps', { json: { ...wish, scopes } });
    expect(body.scopes).toEqual(expected);
  });

  test.each([
    ['without a name', { client_name: '' }],
    ['with a name of 61 characters', { client_name: 'a'.repeat(61) }],
    ['without an address', { redirect_uris: '' }],
    ['with a relative address', { redirect_uris: '/callback' }],
    ['with an address that runs code', { redirect_uris: 'javascript:alert(1)' }],
    ['with an address with a fragment', { redirect_uris: 'https://a.example/#x' }],
    ['with addresses of 2001 characters', { redirect_uris: `https://a.example/${'a'.repeat(1983)}` }],
    ['with an unknown scope', { scopes: 'read everything' }],
    ['with a website that is none', { website: 'javascript:alert(1)' }],
    ['with an unknown dialect', { dialect: 'klingon' }],
  ])('is refused %s', async (_name, changes) => {
    const { status, body } = await gateway.json('/api/v1/apps', { json: { ...wish, ...changes } });
    expect(status).toBe(422);
    expect(body.error).toMatch(/^Validation failed: /);
  });
});

describe('the dialect of an application', () => {
  const dialectOf = async (
    gatewayUnderTest: TestGateway,
    changes: Readonly<Record<string, string>>,
    scope: Readonly<{ scope?: string }> = {},
  ) => {
    const client = await registerClient(gatewayUnderTest, changes);
    const { body } = await gatewayUnderTest.json('/oauth/token', {
      form: { grant_type: 'client_credentials', ...client, ...scope },
    });
    return grantOfToken(gatewayUnderTest.actors.read, String(body.access_token))?.grant.dialect;
  };

  test.each([
    ['the default', { client_name: 'Whatever' }, 'specification'],
    ['that of a known client, whatever its case', { client_name: 'PHANPY' }, 'mastodon'],
    ['the one it asks for', { client_name: 'Phanpy', dialect: 'specification' }, 'specification'],
    ['the one it asks for, if it is unknown', { client_name: 'Whatever', dialect: 'mastodon' }, 'mastodon'],
  ])('is %s', async (_name, changes, dialect) => {
    expect(await dialectOf(gateway, changes)).toBe(dialect);
  });

  /** The scopes that each asks for where its user changes nothing. */
  test.each([
    ['Mastodon.py', 'read write follow push'],
    ['megalodon', 'read write follow'],
    ['go-mastodon', 'read write follow'],
    ['toot', 'read write follow'],
    ['AndStatus', 'read write follow'],
    ['Fedilab', 'read write follow'],
    ['Tusky', 'read write follow push'],
    ['Ice Cubes', 'read write follow push'],
    ['Elk', 'read write follow push'],
    ['Phanpy', 'read write follow push'],
    ['Woolly', 'read write follow push'],
    ['the web client of Mastodon', 'read write follow push admin:read admin:write'],
    ['a sign-in with Mastodon', 'profile'],
    ['a program with narrow scopes', 'read:accounts read:search'],
    ['a poster', 'write:statuses write:media'],
    ['a moderator’s program', 'read admin:write:reports'],
  ])('is that of Mastodon for the scopes of %s, under any name', async (_name, scopes) => {
    expect(await dialectOf(gateway, { client_name: 'Whatever', scopes }, { scope: scopes })).toBe('mastodon');
    // Also for a token with less than the application registered.
    if (scopes.includes('read '))
      expect(await dialectOf(gateway, { client_name: 'Whatever', scopes })).toBe('mastodon');
  });

  test.each([
    'read',
    'read write',
    'read write push',
    'push',
  ])('is that of the specification for its scopes: %s', async (scopes) => {
    expect(await dialectOf(gateway, { client_name: 'Whatever', scopes }, { scope: scopes })).toBe('specification');
  });

  test('is that of Mastodon for a token of a part of a scope, unless the application asked for another', async () => {
    const part = { scope: 'read:accounts' };
    expect(await dialectOf(gateway, {}, part)).toBe('mastodon');
    expect(await dialectOf(gateway, { dialect: 'specification' }, part)).toBe('specification');
    expect(await dialectOf(gateway, { dialect: 'specification', scopes: 'read follow' })).toBe('specification');
  });

  test.each(['mastodon', 'specification'])('is the operator’s for the others: %s', async (dialect) => {
    const decided = startGateway({ environment: { MURMURATION_DIALECT: dialect } });
    for (const scopes of ['read write', 'read write follow'])
      expect(await dialectOf(decided, { client_name: 'Whatever', scopes })).toBe(dialect);
    expect(await dialectOf(decided, { client_name: 'Phanpy', scopes: 'read' })).toBe('mastodon');
    await decided.close();
  });
});

describe('client credentials', () => {
  const ask = async (changes: Readonly<Record<string, string>> = {}) => {
    const client = await registerClient(gateway);
    return gateway.json('/oauth/token', { form: { grant_type: 'client_credentials', ...client, ...changes } });
  };

  test('give a token of the application itself', async () => {
    const { status, body } = await ask({ scope: 'read write:statuses' });
    expect([status, body.scope]).toEqual([200, 'read write:statuses']);
    const token = String(body.access_token);
    const verified = await gateway.json('/api/v1/apps/verify_credentials', { token });
    expect(verified).toMatchObject({ status: 200, body: { name: 'An app', scopes: ['read', 'write'] } });
    expect(verified.body).not.toHaveProperty('client_secret');
    expect(await gateway.json('/api/v1/preferences', { token })).toEqual({
      status: 422,
      body: { error: 'This method requires an authenticated user' },
    });
  });

  test('may come in HTTP Basic', async () => {
    const client = await registerClient(gateway);
    const authorization = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`;
    const form = { grant_type: 'client_credentials' };
    expect(await gateway.json('/oauth/token', { form, headers: { authorization } })).toMatchObject({
      status: 200,
      body: { scope: 'read' },
    });
  });

  test.each([
    ['in HTTP Basic, with a challenge of that scheme', 'Basic eDp5', 'Basic realm="OAuth"'],
    ['in the parameters, with the challenge of tokens', undefined, 'Bearer'],
  ])('are refused where the client names itself %s', async (_name, authorization, challenge) => {
    const form = { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' };
    const headers = authorization === undefined ? {} : { authorization };
    const response = await gateway.fetch('/oauth/token', { form, headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'unknown' }, 401, 'invalid_client'],
    ['more than was registered', { scope: 'push' }, 400, 'invalid_scope'],
    ['an unknown scope', { scope: 'everything' }, 400, 'invalid_scope'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
    ['a password, which is switched off', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('are refused with %s', async (_name, changes, status, error) => {
    const answer = await ask(changes);
    expect(answer).toMatchObject({ status, body: { error, error_description: expect.stringMatching(/\.$/) } });
  });

  test('answers are not to be stored', async () => {
    const client = await registerClient(gateway);
    const response = await gateway.fetch('/oauth/token', { form: { grant_type: 'client_credentials', ...client } });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the password grant, where it is switched on', () => {
  test('gives a token for the right password', async () => {
    await gateway.close();
    gateway = startGateway({ environment: { MURMURATION_OAUTH_PASSWORD_GRANT: 'on' } });
    const alice = await addPerson(gateway, 'alice');
    const client = await registerClient(gateway);
    const ask = (changes: Readonly<Record<string, string>> = {}) =>
      gateway.json('/oauth/token', {
        json: { grant_type: 'password', ...client, username: 'alice@example.org', password, scope: 'read', ...changes },
      });
    const { body } = await ask();
    expect((await gateway.json('/oauth/userinfo', { token: String(body.access_token) })).body).toMatchObject({
      preferred_username: 'alice',
    });
    expect(await ask({ password: 'wrong horse battery' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const history = () => signInsOf(gateway.actors.read, alice, { limit: 5 }).items;
    await until(() => history().length === 2);
    expect(history()).toMatchObject([
      { way: 'password', succeeded: false, address: '127.0.0.1' },
      { way: 'password', succeeded: true, address: '127.0.0.1', clientId: client.client_id },
    ]);
    await changeLogin(gateway, alice, { disabled: true });
    expect(await ask()).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Your login is currently disabled' },
    });
  });
});

describe('POST /oauth/revoke', () => {
  const tokenOf = async (client: Awaited<ReturnType<typeof registerClient>>) => {
    const { body } = await gateway.json('/oauth/token', { form: { grant_type: 'client_credentials', ...client } });
    return String(body.access_token);
  };

  test('ends a token, however often', async () => {
    const client = await registerClient(gateway);
    const token = await tokenOf(client);
    expect((await gateway.fetch('/api/v1/apps/verify_credentials', { token })).status).toBe(200);
    for (const _time of [1, 2]) {
      expect(await gateway.json('/oauth/revoke', { form: { ...client, token } })).toEqual({ status: 200, body: {} });
    }
    // Many clients send their token with everything.
    expect(await gateway.json('/oauth/revoke', { form: { ...client, token }, token })).toEqual({
      status: 200,
      body: {},
    });
    expect(await gateway.json('/api/v1/apps/verify_credentials', { token })).toEqual({
      status: 401,
      body: { error: 'The access token is invalid' },
    });
  });

  test('ends no token of another application', async () => {
    const token = await tokenOf(await registerClient(gateway));
    const other = await registerClient(gateway);
    for (const form of [{ ...other, token }, { ...other }, { token }, { ...other, client_secret: 'wrong', token }]) {
      expect(await gateway.json('/oauth/revoke', { form })).toEqual({
        status: 403,
        body: {
          error: 'unauthorized_client',
          error_description: 'You are not authorized to revoke this token',
        },
      });
    }
    expect((await gateway.fetch('/api/v1/apps/verify_credentials', { token })).status).toBe(200);
  });
});

test('the metadata say how to get tokens', async () => {
  const { body } = await gateway.json('/.well-known/oauth-authorization-server');
  expect(body).toMatchObject({
    issuer: 'https://social.example/',
    authorization_endpoint: 'https://social.example/oauth/authorize',
    token_endpoint: 'https://social.example/oauth/token',
    app_registration_endpoint: 'https://social.example/api/v1/apps',
    revocation_endpoint: 'https://social.example/oauth/revoke',
    userinfo_endpoint: 'https://social.example/oauth/userinfo',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
  });
  expect(body.scopes_supported).toEqual(expect.arrayContaining(['read', 'write', 'push', 'follow', 'profile']));
});
