/**
 * A suspended account with much of everything is removed while its server is killed: the removal goes on with the next start,
 * until nothing is left of it, and each server that knows it is told once. The same for old posts of other servers, which go by
 * rule, and for a server that is purged. The long suite removes 50 000 posts and 20 000 followers, forgets 50 000, purges 5 000
 * accounts, and kills at several points.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFlight } from '../../bench/seed/in-flight.ts';
import { type Owners, openOwners } from '../../bench/seed/owners.ts';
import { createPerson, follow, plainStatus, publish, statusText } from '../../bench/seed/people.ts';
import { Account } from '../../src/actors/account/account.messages.ts';
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfHost } from '../../src/services/services.ts';
import { receive } from '../support/acts.ts';
import { freePort } from '../support/free-port.ts';
import { testProfile } from '../support/profile.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const size = isLong
  ? { statuses: 50_000, followers: 20_000, old: 50_000, neighbours: 5_000 }
  : { statuses: 300, followers: 120, old: 300, neighbours: 500 };
/** Killed once so much of the posts is gone; always at once after the answer as well. */
const killedAt = isLong ? [0.2, 0.5, 0.8] : [];
const seedMilliseconds = isLong ? 600_000 : 60_000;
const partitions = 2;
/** Half of what an actor lets wait of one flow. */
const ofOneActorMax = 512;
const hosts = ['127.0.0.3', '127.0.0.4'] as const;

let folder: string;
let port: number;
let origins: string[];
let server: RunningServer;
let star: Id;
/** An account of another server, and its posts of the year before last. */
let rita: Id;
const old: Id[] = [];
const year = 365 * 24 * 60 * 60 * 1_000;
/** Accounts of the first server, with a post each: more than one slice of a purge. */
const neighbours: { readonly id: Id; readonly statusId: Id }[] = [];
/** Of each other server: the ids of Deletes of the account, in the order of arrival. */
const deletes = new Map<string, string[]>();
const others: Server[] = [];

async function seed(owners: Owners, origins: readonly string[]): Promise<void> {
  star = await createPerson(owners, 'star');
  await inFlight(size.followers, async (index) => follow(owners, await createPerson(owners, `follower${index}`), star));
  for (const origin of origins) {
    const host = origin.slice('http://'.length);
    const uri = `${origin}/users/rita`;
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, sharedInbox: `${origin}/inbox` };
    const profile = testProfile({
      ...{ username: 'rita', domain: host },
      remote: { ...remote, publicKeyId: `${uri}#main-key`, publicKeyPem: '' },
    });
    const { accountId } = await owners.call(Directory.learn.to(uri, { profile }), flowOfHost(host));
    await owners.call(
      Account.follow.to(accountId, { targetId: star, options: {}, uri: `${uri}#follow` }),
      flowOfHost(host),
    );
    rita = accountId;
  }
  const person = { id: rita, name: 'rita', destination: undefined };
  await inFlight(
    size.old,
    async (index) => {
      const uri = `${origins.at(-1)}/notes/${index}`;
      const publishedAt = Date.now() - 2 * year + index * 1_000;
      const { statusId } = await owners.call(
        receive(person, { uri, publishedAt, threadId: undefined }, Date.now()),
        flowOfHost('rita'),
      );
      old.push(statusId);
    },
    ofOneActorMax,
  );
  await seedNeighbours(owners, origins[0]!);
  await inFlight(size.statuses, (index) => publish(owners, star, plainStatus(statusText(index))), ofOneActorMax);
}

async function seedNeighbours(owners: Owners, origin: string): Promise<void> {
  const host = origin.slice('http://'.length);
  const made = await inFlight(size.neighbours, async (index) => {
    const uri = `${origin}/users/ned${index}`;
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ username: `ned${index}`, domain: host, remote });
    const { accountId: id } = await owners.call(Directory.learn.to(uri, { profile }), flowOfHost(host));
    const note = { uri: `${uri}/1`, publishedAt: Date.now(), threadId: undefined };
    const person = { id, name: `ned${index}`, destination: undefined };
    const { statusId } = await owners.call(receive(person, note, Date.now()), flowOfHost(host));
    return { id, statusId };
  });
  neighbours.push(...made);
}

/** Takes whatever is delivered. */
async function otherServer(address: string): Promise<string> {
  const seen: string[] = [];
  deletes.set(address, seen);
  const other = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { type, id, object, actor } = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
      if (type === 'Delete' && object === actor) seen.push(String(id));
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((listening) => other.listen(0, address, listening));
  others.push(other);
  return `http://${address}:${(other.address() as AddressInfo).port}`;
}

const start = () =>
  startTestServer({
    dataDirectory: folder,
    port,
    environment: { MURMURATION_SEARCH: 'on', MURMURATION_CLOCK: `${new Date().toISOString().slice(0, 19)}Z` },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-removal-'));
  port = await freePort();
  origins = await Promise.all(hosts.map(otherServer));
  const owners = await openOwners({ dataDirectory: folder, partitions });
  await seed(owners, origins);
  await owners.close();
  server = await start();
}, seedMilliseconds);

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  for (const other of others) {
    other.close();
    other.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
});

type Body = Record<string, unknown>;

async function ask<Answer = Body>(who: User, method: string, path: string, json?: object): Promise<Answer> {
  const answer = await server.fetch(path, { method, token: who.token, ...(json !== undefined && { json }) });
  return (await answer.json()) as Answer;
}

/** What is left of its posts and its followers, in its own counters. */
async function left(who: User): Promise<{ statuses: number; followers: number }> {
  const { account } = await ask<{ account: Body }>(who, 'GET', `/api/v1/admin/accounts/${star}`);
  return { statuses: Number(account.statuses_count), followers: Number(account.followers_count) };
}

/** As long as something goes, however long that takes: how fast it is depends on the machine. */
async function untilLeft(who: User, isEnough: (left: { statuses: number; followers: number }) => boolean) {
  for (let before = await left(who); !isEnough(before); ) {
    const sum = before.statuses + before.followers;
    before = await until(
      async () => {
        const now = await left(who);
        return now.statuses + now.followers < sum || isEnough(now) ? now : undefined;
      },
      { description: `fewer than ${JSON.stringify(before)} to be left` },
    );
  }
}

/** The blobs that nobody has made a folder for yet are none. */
const filesOfBlobs = () => {
  const blobs = join(folder, 'media');
  if (!existsSync(blobs)) return 0;
  return readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
};

test('nothing is left, whenever the server is killed', async () => {
  const [olga, bob] = [await server.createUser('olga'), await server.createUser('bob')];
  await server.run('accounts', 'modify', 'olga', '--role', 'owner');
  const token = (await server.run('tokens', 'create', 'star', '--scopes', 'read write')).trim();
  const self: User = { ...bob, token };
  await ask(bob, 'POST', `/api/v1/accounts/${star}/follow`);
  const blank = filesOfBlobs();
  const form = new FormData();
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#080' } })
    .png()
    .toBuffer();
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'green.png');
  const uploaded = await server.fetch('/api/v2/media', { method: 'POST', token, body: form });
  const { id: mediaId } = (await uploaded.json()) as { id: string };
  const isDecoded = async () => (await server.fetch(`/api/v1/media/${mediaId}`, { token })).status === 200;
  await until(isDecoded, { description: 'the picture' });
  const said = { status: 'A starling for @bob #starling', media_ids: [mediaId] };
  const post = await ask<{ id: string }>(self, 'POST', '/api/v1/statuses', said);
  await ask(bob, 'POST', `/api/v1/statuses/${post.id}/favourite`);
  const own = await ask<{ id: string }>(bob, 'POST', '/api/v1/statuses', { status: 'Hello' });
  await ask(self, 'POST', `/api/v1/statuses/${own.id}/reblog`);
  await ask(self, 'POST', `/api/v1/statuses/${own.id}/favourite`);
  const notifications = () => ask<Body[]>(bob, 'GET', '/api/v1/notifications');
  const found = async () => (await ask<{ statuses: Body[] }>(bob, 'GET', '/api/v2/search?q=starling')).statuses.length;
  await until(async () => (await notifications()).length >= 3, { description: 'what bob is told' });
  expect([filesOfBlobs() > blank, (await left(olga)).statuses]).toEqual([true, size.statuses + 2]);

  await server.run('accounts', 'modify', 'star', '--suspend');
  await ask(olga, 'DELETE', `/api/v1/admin/accounts/${star}`);
  await server.kill();
  server = await start();
  for (const share of killedAt) {
    const bound = size.statuses * (1 - share);
    await untilLeft(olga, ({ statuses }) => statuses <= bound);
    await server.kill();
    server = await start();
  }
  await untilLeft(olga, ({ statuses, followers }) => statuses + followers === 0);

  const texts = async (path: string) => JSON.stringify(await ask(bob, 'GET', path));
  const marked = `"id":"${star}"`;
  await until(async () => !JSON.stringify(await notifications()).includes(marked), { description: 'notifications' });
  for (const path of ['timelines/home', 'timelines/public', 'timelines/tag/starling', 'trends/statuses', 'trends/tags'])
    expect([path, (await texts(`/api/v1/${path}?limit=40`)).includes(marked)]).toEqual([path, false]);
  expect(await found()).toBe(0);
  expect((await server.fetch(`/api/v1/statuses/${post.id}`, { token: bob.token })).status).toBe(404);
  const counted = await ask<Body>(bob, 'GET', `/api/v1/statuses/${own.id}`);
  expect(counted).toMatchObject({ reblogs_count: 0, favourites_count: 0 });
  const following = await ask<Body[]>(bob, 'GET', `/api/v1/accounts/${bob.id}/following`);
  expect(following.map(({ id }) => id)).not.toContain(star.toString());

  for (const seen of deletes.values()) {
    await until(() => seen.length > 0, { description: 'a Delete' });
    // One that was on its way when the server died is sent again: it is the same.
    expect(new Set(seen).size).toBe(1);
  }
  // Nobody holds the files once the removal comes to them: they go an hour later.
  const areGone = async () => {
    await server.run('clock', 'forward', String(2 * 60 * 60));
    return filesOfBlobs() <= blank;
  };
  await until(areGone, { description: 'the files to go' });
});

test('nothing is left of a server that is purged, whenever this one is killed', async () => {
  const olga = await server.createUser('petra');
  await server.run('accounts', 'modify', 'petra', '--role', 'owner');
  const { host } = new URL(origins[0]!);
  const [first, last] = [neighbours[0]!, neighbours.at(-1)!];
  await ask(olga, 'POST', `/api/v1/accounts/${first.id}/follow`);
  const status = async ({ statusId }: typeof first) =>
    (await server.fetch(`/api/v1/statuses/${statusId}`, { token: olga.token })).status;
  expect([await status(first), await status(last)]).toEqual([200, 200]);
  await server.run('servers', 'purge', host);
  for (const _time of ['at once', ...killedAt]) {
    await server.kill();
    server = await start();
  }
  interface Known {
    readonly purge: { readonly ended_at: string | null };
  }
  const path = `/api/murmuration/v1/admin/instances/${host}`;
  await until(async () => (await ask<Known>(olga, 'GET', path)).purge.ended_at !== null, { description: 'its end' });
  const counted = async ({ id }: typeof first) => {
    const { account } = await ask<{ account: Body }>(olga, 'GET', `/api/v1/admin/accounts/${id}`);
    return [account.suspended, account.statuses_count, account.followers_count];
  };
  for (const one of [first, last])
    await until(async () => JSON.stringify(await counted(one)) === '[true,0,0]', { description: 'its posts to go' });
  expect([await status(first), await status(last)]).toEqual([404, 404]);
  const following = await ask<Body[]>(olga, 'GET', `/api/v1/accounts/${olga.id}/following`);
  expect(following.map(({ id }) => id)).not.toContain(first.id.toString());
  expect(await ask<string[]>(olga, 'GET', '/api/v1/instance/peers')).not.toContain(host);
});

test('old posts of other servers that nobody uses go, and no others, whenever the server is killed', async () => {
  const olga = await server.createUser('orla');
  await server.run('accounts', 'modify', 'orla', '--role', 'owner');
  const kept = old[old.length >> 1]!;
  await ask(olga, 'POST', `/api/v1/statuses/${kept}/bookmark`);
  await ask(olga, 'PUT', '/api/murmuration/v1/admin/settings', { remote_status_days: 30 });
  const hour = 60 * 60;
  await server.run('clock', 'forward', String(hour + 1));
  interface Rule {
    readonly run: { readonly ended_at: string | null } | null;
  }
  const run = async () =>
    (await ask<{ retention: Rule }>(olga, 'GET', '/api/murmuration/v1/admin/storage')).retention.run;
  const count = async () => {
    const { account } = await ask<{ account: Body }>(olga, 'GET', `/api/v1/admin/accounts/${rita}`);
    return Number(account.statuses_count);
  };
  await until(async () => (await run()) !== null, { description: 'the run to begin' });
  await server.kill();
  server = await start();
  for (const share of killedAt) {
    await until(async () => (await count()) <= size.old * (1 - share), { description: `${share} of them to be gone` });
    await server.kill();
    server = await start();
  }
  await until(async () => (await run())?.ended_at != null, { description: 'the end of the run' });
  const areGone = async () => {
    if ((await count()) === 1) return true;
    // What a busy partition has refused goes with the next run.
    await server.run('clock', 'forward', String(24 * hour));
    return false;
  };
  await until(areGone, { description: 'all but one to go' });
  const status = (id: Id) => server.fetch(`/api/v1/statuses/${id}`, { token: olga.token });
  expect([(await status(kept)).status, (await status(old[0]!)).status]).toEqual([200, 404]);
});
