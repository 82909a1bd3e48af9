/**
 * A whole server behind a proxy that forwards what the client asked for: with MURMURATION_TRUSTED_PROXIES links lead
 * clients back to where they came from; without a proxy these headers are not believed. The addresses of accounts and
 * statuses never depend on them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNginx, type Nginx, startNginx } from '../../support/nginx.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream, type Transport } from '../../support/stream-readers.ts';

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'front.example' };

describe.each(['1', '0'])('with a proxy and %s that are trusted', (option) => {
  const isBehindNginx = option === '1' && hasNginx;
  let server: RunningServer;
  /** As clients are to see it. */
  let origin: string;
  let token: string;
  let nginx: Nginx | undefined;

  beforeAll(async () => {
    server = await startTestServer({ environment: { MURMURATION_TRUSTED_PROXIES: option } });
    origin = option === '1' ? 'https://front.example' : server.origin;
    ({ token } = await server.createUser('alice'));
    for (const status of ['one #starlings', 'two #starlings'])
      await server.fetch('/api/v1/statuses', { method: 'POST', token, json: { status } });
    if (isBehindNginx) nginx = await startNginx(server.port);
  });

  afterAll(async () => {
    await nginx?.stop();
    expect(await server.stop()).toBe(0);
  });

  const ask = (path: string, headers: Record<string, string> = forwarded) => server.fetch(path, { headers });
  const read = async <Body = Record<string, unknown>>(path: string) => (await (await ask(path)).json()) as Body;

  test('pages lead on', async () => {
    const link = (await ask('/api/v1/timelines/public?limit=1')).headers.get('link');
    expect(link).toContain(`<${origin}/api/v1/timelines/public?limit=1&max_id=`);
    expect(link).toContain(`<${origin}/api/v1/timelines/public?limit=1&min_id=`);
  });

  test('a browser is sent from documents to pages', async () => {
    const answer = await ask('/users/alice', { ...forwarded, accept: 'text/html' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${origin}/@alice`]);
  });

  test('cookies are for the scheme that the browser uses', async () => {
    const cookieOf = async (headers: Record<string, string>) =>
      (await ask('/auth/sign_in', headers)).headers.get('set-cookie');
    const secure = expect.stringMatching(/; Secure$/);
    expect(await cookieOf(forwarded)).toEqual(option === '1' ? secure : expect.not.stringMatching(/secure/i));
    expect(await cookieOf({ 'x-forwarded-proto': 'http' })).toEqual(expect.not.stringMatching(/secure/i));
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toEqual(
      option === '1' ? secure : expect.not.stringMatching(/secure/i),
    );
  });

  test('clients are told where to sign in and to listen', async () => {
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: `${origin}/`,
      token_endpoint: `${origin}/oauth/token`,
    });
    const streaming = origin.replace(/^http/, 'ws');
    expect(await read('/api/v2/instance')).toMatchObject({
      domain: server.host,
      configuration: { urls: { streaming, about: `${origin}/about` } },
    });
    expect(await read('/api/v1/instance')).toMatchObject({ uri: server.host, urls: { streaming_api: streaming } });
  });

  test('everything keeps its name', async () => {
    const [status] = await read<Record<string, unknown>[]>('/api/v1/timelines/public?limit=1');
    expect(status).toMatchObject({
      uri: expect.stringContaining(`${server.origin}/users/alice/statuses/`),
      url: expect.stringContaining(`${server.origin}/@alice/`),
      account: { uri: `${server.origin}/users/alice`, url: `${server.origin}/@alice` },
    });
    expect(await read(`/.well-known/webfinger?resource=acct:alice@${server.host}`)).toMatchObject({
      subject: `acct:alice@${server.host}`,
      aliases: expect.arrayContaining([`${server.origin}/users/alice`]),
    });
    const actor = await ask('/users/alice', { ...forwarded, accept: 'application/activity+json' });
    expect(await actor.json()).toMatchObject({ id: `${server.origin}/users/alice` });
  });

  if (option === '0') return;
  // because nothing but nginx reads that block; .ci/run installs it
  describe.skipIf(!hasNginx)(
    `that is nginx, with the block of the README${hasNginx ? '' : ' (skipped: nginx is missing)'}`,
    () => {
      test.each([
        '',
        `&any[]=${'starling,'.repeat(365)}`,
      ])('pages lead on to it, however long the query is', async (more) => {
        const invented = { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'gopher' };
        const path = `/api/v1/timelines/tag/starlings?limit=1${more}`;
        const answer = await fetch(`${nginx!.origin}${path}`, { headers: invented });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('link')).toContain(`<${nginx!.origin}/api/v1/timelines/tag/starlings?`);
        expect(await answer.json()).toHaveLength(1);
      });

      test.each<Transport>(['websocket', 'server-sent events'])('events come through as %s', async (transport) => {
        const stream = await openStream({ ...server, origin: nginx!.origin }, transport, { channel: 'user', token });
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ status: `over ${transport}` });
        await fetch(`${nginx!.origin}/api/v1/statuses`, { method: 'POST', headers, body });
        const { payload } = await stream.next(({ event }) => event === 'update');
        expect(payload).toMatchObject({ content: `<p>over ${transport}</p>` });
        stream.close();
      });
    },
  );
});
