import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handle } from '../../../src/federation/webfinger/handle.ts';
import {
  claimedHandle,
  confirmActorHandle,
  resolveHandle,
} from '../../../src/federation/webfinger/webfinger-client.ts';
import {
  createTestNetwork,
  type RemoteHost,
  startRemoteHost,
  type TestNetwork,
} from '../../outbound/fetcher/remote-host.ts';

/** One loopback server plays every domain; the `Host` header says which. */
let network: TestNetwork;
let server: RemoteHost;
let paths: Map<string, object | string | number>;
const options = { scheme: 'http' } as const;

beforeEach(async () => {
  network = createTestNetwork();
  paths = new Map();
  server = await startRemoteHost((request, response) => {
    const found = paths.get(`${request.headers.host?.split(':')[0]}${decodeURIComponent(request.url ?? '')}`) ?? 404;
    if (typeof found === 'number') response.writeHead(found).end();
    else response.end(typeof found === 'string' ? found : JSON.stringify(found));
  });
  for (const name of ['away.example', 'social.example', 'evil.example']) network.resolver.set(name, ['127.0.0.1']);
});

afterEach(async () => {
  await network.connections.close();
  await server.close();
});

const handle = (username: string, name: string): Handle => ({ username, host: `${name}:${server.port}` });
const actorUrl = (username: string, name: string) => `http://${name}:${server.port}/users/${username}`;

/** What `name` answers when asked for `username@of` (of = itself when absent). */
function answer(
  name: string,
  username: string,
  subject: string | undefined,
  href: string | undefined,
  of = name,
): void {
  const link = { rel: 'self', type: 'application/activity+json', href };
  paths.set(`${name}/.well-known/webfinger?resource=acct:${username}@${of}:${server.port}`, {
    ...(subject === undefined ? {} : { subject }),
    links: href === undefined ? [] : [link],
  });
}

function acct(username: string, name: string): string {
  return `acct:${username}@${name}:${server.port}`;
}

describe('from a handle to an actor', () => {
  const alice = () => resolveHandle(network.fetcher, handle('alice', 'away.example'), options);

  it.each([
    ['the same subject', () => acct('alice', 'away.example'), 'alice'],
    ['the subject in other letters', () => acct('Alice', 'AWAY.example'), 'Alice'],
    ['no subject', () => undefined, 'alice'],
    ['a subject that is a URL', () => actorUrl('alice', 'away.example'), 'alice'],
  ])('%s', async (_name, subject, username) => {
    answer('away.example', 'alice', subject(), actorUrl('alice', 'away.example'));
    expect(await alice()).toEqual({
      ok: true,
      handle: handle(username, 'away.example'),
      actorUrl: actorUrl('alice', 'away.example'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('follows the subject once', async () => {
    answer('away.example', 'alice', acct('alice', 'social.example'), actorUrl('forged', 'evil.example'));
    answer('social.example', 'alice', acct('alice', 'social.example'), actorUrl('alice', 'social.example'));
    expect(await alice()).toEqual({
      ok: true,
      handle: handle('alice', 'social.example'),
      actorUrl: actorUrl('alice', 'social.example'),
    });
  });

  it('but not twice', async () => {
    answer('away.example', 'alice', acct('alice', 'social.example'), actorUrl('alice', 'away.example'));
    answer('social.example', 'alice', acct('alice', 'evil.example'), actorUrl('alice', 'evil.example'));
    answer('evil.example', 'alice', acct('alice', 'evil.example'), actorUrl('alice', 'evil.example'));
    expect(await alice()).toMatchObject({ ok: false, kind: 'invalid' });
    expect(server.requests).toHaveLength(2);
  });

  it('asks host-meta where WebFinger is not found', async () => {
    const template = `http://social.example:${server.port}/.well-known/webfinger?resource={uri}`;
    paths.set('away.example/.well-known/host-meta', `<XRD><Link rel="lrdd" template="${template}"/></XRD>`);
    answer(
      'social.example',
      'alice',
      acct('alice', 'away.example'),
      actorUrl('alice', 'social.example'),
      'away.example',
    );
    expect(await alice()).toEqual({
      ok: true,
      handle: handle('alice', 'away.example'),
      actorUrl: actorUrl('alice', 'social.example'),
    });
  });

  it('does not ask again the URL that was not found', async () => {
    const template = `http://away.example:${server.port}/.well-known/webfinger?resource={uri}`;
    paths.set('away.example/.well-known/host-meta', `<XRD><Link rel="lrdd" template="${template}"/></XRD>`);
    expect(await alice()).toMatchObject({ ok: false, kind: 'notFound' });
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, object | string | number, string]>([
    ['not found', 404, 'notFound'],
    ['gone', 410, 'gone'],
    ['refused', 403, 'refused'],
    ['broken', 500, 'unreachable'],
    ['not JSON', '<p>', 'invalid'],
    ['without an actor', { subject: 'acct:alice@away.example', links: [] }, 'invalid'],
  ])('%s', async (_name, found, kind) => {
    paths.set(`away.example/.well-known/webfinger?resource=${acct('alice', 'away.example')}`, found);
    expect(await alice()).toMatchObject({ ok: false, kind });
  });

  it('asks again at once only when a person does', async () => {
    expect(await alice()).toMatchObject({ kind: 'notFound' });
    answer('away.example', 'alice', acct('alice', 'away.example'), actorUrl('alice', 'away.example'));
    expect(await alice()).toMatchObject({ kind: 'notFound' });
    const asked = handle('alice', 'away.example');
    expect((await resolveHandle(network.fetcher, asked, { ...options, fresh: true })).ok).toBe(true);
  });
});

describe('from an actor to its handle', () => {
  const actor = (more = {}) => ({ id: actorUrl('alice', 'social.example'), preferredUsername: 'alice', ...more });
  const confirm = (more = {}) => confirmActorHandle(network.fetcher, actor(more), options);

  it('closes the loop on one host', async () => {
    answer('social.example', 'alice', acct('alice', 'social.example'), actorUrl('alice', 'social.example'));
    expect(await confirm()).toMatchObject({ ok: true, handle: handle('alice', 'social.example') });
  });

  it('closes the loop over a split domain', async () => {
    answer('social.example', 'alice', acct('alice', 'away.example'), actorUrl('alice', 'social.example'));
    answer('away.example', 'alice', acct('alice', 'away.example'), actorUrl('alice', 'social.example'));
    expect(await confirm()).toMatchObject({ ok: true, handle: handle('alice', 'away.example') });
  });

  it('takes the handle of FEP-2c59 instead of name and host', async () => {
    answer('away.example', 'al', acct('al', 'away.example'), actorUrl('alice', 'social.example'));
    const webfinger = `al@away.example:${server.port}`;
    expect(await confirm({ webfinger })).toMatchObject({ ok: true, handle: handle('al', 'away.example') });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['one host', 'social.example'],
    ['a split domain', 'away.example'],
  ])('spells the name as the actor does, over %s', async (_way, domain) => {
    const id = actorUrl('Alice', 'social.example');
    for (const name of new Set(['social.example', domain])) answer(name, 'Alice', acct('ALICE', domain), id);
    if (domain === 'away.example') answer(domain, 'ALICE', acct('ALICE', domain), id);
    const confirmed = await confirmActorHandle(network.fetcher, { id, preferredUsername: 'Alice' }, options);
    expect(confirmed).toMatchObject({ ok: true, handle: handle('Alice', domain) });
  });

  it('refuses a handle that leads to somebody else', async () => {
    answer('social.example', 'alice', acct('alice', 'social.example'), actorUrl('bob', 'social.example'));
    expect(await confirm()).toMatchObject({ ok: false, kind: 'invalid' });
  });

  it('refuses a handle taken from another host, which does not agree', async () => {
    answer('social.example', 'alice', acct('bob', 'away.example'), actorUrl('alice', 'social.example'));
    answer('away.example', 'bob', acct('bob', 'away.example'), actorUrl('bob', 'away.example'));
    expect(await confirm()).toMatchObject({ ok: false, kind: 'invalid' });
    expect(await confirm({ webfinger: `bob@away.example:${server.port}` })).toMatchObject({
      ok: false,
      kind: 'invalid',
    });
  });

  it.each([
    ['with a name that is none', { preferredUsername: 'a b' }],
    ['with a handle that is none', { webfinger: 'alice' }],
    ['with an id that is no URL', { id: 'alice' }],
  ])('refuses an actor %s without asking anybody', async (_name, more) => {
    expect(await confirm(more)).toMatchObject({ ok: false, kind: 'invalid' });
    expect(server.requests).toHaveLength(0);
  });
});

it('the claimed handle has the host of the id', () => {
  const actor = { id: 'https://Away.example/users/7', preferredUsername: 'alice' };
  expect(claimedHandle(actor)).toEqual({ username: 'alice', host: 'away.example' });
});
