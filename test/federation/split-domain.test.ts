/**
 * A server whose handles are on another domain than the server (like Mastodon's LOCAL_DOMAIN and WEB_DOMAIN), with
 * another server of ours, which verifies both directions, and with Fedify.
 */
import { Accept, type Activity, Create, Follow } from '@fedify/vocab';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilAnswered } from '../support/asking.ts';
import { type FedifyServer, startFedifyServer } from '../support/fedify-server.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

let split: RunningServer;
let other: RunningServer;
let fedify: FedifyServer;
let domain: string;
let alice: User;
let bob: User;

beforeAll(async () => {
  // The same port answers at both addresses, as a proxy would let it.
  const port = await freePort('0.0.0.0');
  domain = `127.0.0.4:${port}`;
  const environment = { MURMURATION_HOST: '0.0.0.0', MURMURATION_DOMAIN: domain };
  [split, other, fedify] = await Promise.all([
    startTestServer({ host: '127.0.0.3', port, environment }),
    startTestServer({ host: '127.0.0.5' }),
    startFedifyServer('127.0.0.6', ['remy']),
  ]);
  [alice, bob] = await Promise.all([split.createUser('alice'), other.createUser('bob')]);
});

afterAll(async () => {
  await fedify.stop();
  for (const server of [split, other]) expect(await server.stop(), server.output()).toBe(0);
});

async function api<Value>(server: RunningServer, user: User, method: string, path: string, json?: unknown) {
  const answer = await server.fetch(path, { method, token: user.token, ...(json === undefined ? {} : { json }) });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as Value;
}

interface Account {
  id: string;
  acct: string;
  url: string;
}

interface Status {
  id: string;
  uri: string;
  content: string;
  mentions: { acct: string }[];
  account: Account;
}

describe('what the server says of itself', () => {
  test.each([
    ['the domain', () => `acct:alice@${domain}`],
    ['the domain, without a scheme', () => `alice@${domain}`],
    ['the server', () => `acct:alice@${split.host}`],
    ['the address of the actor', () => `${split.origin}/users/alice`],
  ])('WebFinger answers at both hosts to %s', async (_which, resource) => {
    for (const host of [domain, split.host]) {
      const query = `resource=${encodeURIComponent(resource())}`;
      const answer = await fetch(`http://${host}/.well-known/webfinger?${query}`);
      const { subject, links } = (await answer.json()) as { subject: string; links: { rel: string; href: string }[] };
      expect(subject).toBe(`acct:alice@${domain}`);
      expect(links.find(({ rel }) => rel === 'self')?.href).toBe(`${split.origin}/users/alice`);
    }
  });

  test('host-meta leads from the domain to the server', async () => {
    const text = await (await fetch(`http://${domain}/.well-known/host-meta`)).text();
    expect(text).toContain(`template="${split.origin}/.well-known/webfinger?resource={uri}"`);
  });

  test('the documents of the instance name the domain, and lead to the server', async () => {
    const [first, second] = await Promise.all(
      ['/api/v1/instance', '/api/v2/instance'].map(async (path) => (await split.fetch(path)).json()),
    );
    expect([(first as { uri: string }).uri, (second as { domain: string }).domain]).toEqual([domain, domain]);
    const nodeInfo = (await (await fetch(`http://${domain}/.well-known/nodeinfo`)).json()) as { links: object[] };
    expect(nodeInfo.links[0]).toMatchObject({ href: `${split.origin}/nodeinfo/2.0` });
  });

  test('its own actor is called by the domain', async () => {
    const headers = { accept: 'application/activity+json' };
    const actor = (await (await split.fetch('/actor', { headers })).json()) as Record<string, unknown>;
    expect(actor).toMatchObject({
      id: `${split.origin}/actor`,
      preferredUsername: domain,
      webfinger: `${domain}@${domain}`,
    });
  });
});

describe('handles', () => {
  test('of its own people are local, with either host', async () => {
    for (const handle of ['@alice', `@alice@${domain}`, `@alice@${split.host}`]) {
      const status = await api<Status>(split, alice, 'POST', '/api/v1/statuses', { status: `Hello ${handle}` });
      expect(status.mentions, handle).toMatchObject([{ acct: 'alice' }]);
      const acct = encodeURIComponent(handle.slice(1));
      const found = await api<Account>(split, alice, 'GET', `/api/v1/accounts/lookup?acct=${acct}`);
      expect(found.acct).toBe('alice');
    }
  });

  test('lead another server to its people, under the domain, and back', async () => {
    const find = async (handle: string) => {
      const query = `q=${encodeURIComponent(handle)}&resolve=true&limit=1`;
      const answer = await untilAnswered(() => other.fetch(`/api/v1/accounts/search?${query}`, { token: bob.token }));
      const [account] = (await answer.json()) as Account[];
      return account;
    };
    const account = await find(`@alice@${domain}`);
    expect(account).toMatchObject({ acct: `alice@${domain}`, url: `${split.origin}/@alice` });
    expect(await find(`@alice@${split.host}`)).toMatchObject({ id: account!.id });
    await api(other, bob, 'POST', `/api/v1/accounts/${account!.id}/follow`);
    const notes = () => api<{ type: string; status?: Status }[]>(split, alice, 'GET', '/api/v1/notifications');
    await until(async () => (await notes()).some(({ type }) => type === 'follow'));
    const mentioned = `Hello @bob@${other.host}, @alice here`;
    const posted = await api<Status>(split, alice, 'POST', '/api/v1/statuses', { status: mentioned });
    const home = () => api<Status[]>(other, bob, 'GET', '/api/v1/timelines/home');
    const arrived = await until(async () => (await home()).find(({ uri }) => uri === posted.uri));
    expect(arrived.account.acct).toBe(`alice@${domain}`);
    expect(arrived.mentions.map(({ acct }) => acct)).toEqual(expect.arrayContaining(['bob', `alice@${domain}`]));
    const answer = { status: `@alice@${domain} hello`, in_reply_to_id: arrived.id };
    const reply = await api<Status>(other, bob, 'POST', '/api/v1/statuses', answer);
    await until(async () => (await notes()).some(({ status }) => status?.uri === reply.uri));
  });

  test('make no difference to Fedify', async () => {
    const followed = new URL(`${split.origin}/users/alice`);
    const id = fedify.newAddress('activities');
    await fedify.send('remy', followed, new Follow({ id, actor: fedify.actor('remy'), object: followed }));
    const heard = (kind: new (...values: never[]) => Activity, objectUri: string) =>
      fedify.received.some(({ activity }) => activity instanceof kind && activity.objectId?.href === objectUri);
    await until(() => heard(Accept, id.href));
    const { uri } = await api<Status>(split, alice, 'POST', '/api/v1/statuses', {
      status: `@remy@${fedify.host} hello`,
    });
    await until(() => heard(Create, uri));
  });
});
