/**
 * A server is lost while people post and a backup is being made, and a new one is made of the backup: what was acknowledged
 * before is there, nothing is there twice, and what follows collides with nothing that the lost one had told others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilAnswered } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { openStream } from '../../support/stream-readers.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

interface Status {
  readonly id: string;
  readonly uri: string;
  readonly content: string;
}

let parent: string;
let home: RunningServer;
let far: RunningServer;
let writer: User;
let reader: User;
let carol: User;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'murmuration-lost-'));
  const environment = { MURMURATION_PARTITIONS: '3' };
  [home, far] = await Promise.all([
    startTestServer({ dataDirectory: join(parent, 'first'), environment }),
    startTestServer({ host: '127.0.0.2' }),
  ]);
  [writer, reader] = [await home.createUser('writer'), await home.createUser('reader')];
  carol = await far.createUser('carol');
});
afterAll(async () => {
  await Promise.all([home.stop(), far.stop()]);
  rmSync(parent, { recursive: true, force: true });
});

async function api<Value>(
  server: RunningServer,
  user: User,
  method: string,
  path: string,
  json?: unknown,
): Promise<Value> {
  const answer = await untilAnswered(() => server.fetch(`/api/${path}`, { method, token: user.token, json }));
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Value;
}

/** All there are, the newest first. */
async function listed(path: string, user: User): Promise<Status[]> {
  const found: Status[] = [];
  for (let before = ''; ; ) {
    const page = await api<Status[]>(home, user, 'GET', `v1/${path}?limit=40${before}`);
    if (page.length === 0) return found;
    found.push(...page);
    before = `&max_id=${page.at(-1)!.id}`;
  }
}

/** Posts until the server is gone. Returns what was acknowledged. */
async function postOn(worker: number, until: AbortSignal): Promise<Status[]> {
  const acknowledged: Status[] = [];
  while (!until.aborted) {
    try {
      const json = { status: `${worker}-${acknowledged.length} @reader` };
      const answer = await home.fetch('/api/v1/statuses', { method: 'POST', token: writer.token, json });
      if (answer.status === 200) acknowledged.push((await answer.json()) as Status);
    } catch (error) {
      // Its connection ended with the server.
      if (!until.aborted) throw error;
    }
  }
  return acknowledged;
}

async function command(...words: string[]): Promise<string> {
  const { code, output } = await outcomeOf(...words);
  expect([code, output]).toEqual([0, expect.anything()]);
  return output;
}

async function outcomeOf(...words: string[]): Promise<{ code: unknown; output: string }> {
  const child = home.startCommand(...words);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise((done) => child.once('close', done));
  return { code, output };
}

test('what a lost server had acknowledged before its backup is there once, and goes on', async () => {
  await api(home, reader, 'POST', `v1/accounts/${writer.id}/follow`);
  const [known] = await api<{ id: string }[]>(
    far,
    carol,
    'GET',
    `v1/accounts/search?resolve=true&q=@writer@${home.host}`,
  );
  await api(far, carol, 'POST', `v1/accounts/${known!.id}/follow`);
  await until(async () => {
    const { followers_count } = await api<{ followers_count: number }>(home, writer, 'GET', `v1/accounts/${writer.id}`);
    return followers_count === 2;
  });
  const stream = await openStream(home, 'websocket', { channel: 'user', token: writer.token });

  const stopping = new AbortController();
  const workers = Promise.all([0, 1, 2, 3].map((worker) => postOn(worker, stopping.signal)));
  const isAt = (count: number) => async () => {
    const { statuses_count } = await api<{ statuses_count: number }>(home, writer, 'GET', `v1/accounts/${writer.id}`);
    return statuses_count >= count;
  };
  await until(isAt(60), { description: 'some posts' });
  const before = await listed(`accounts/${writer.id}/statuses`, writer);
  const backup = JSON.parse(await command('backup', join(parent, 'backups'), '--json')) as { entries: number };
  expect(backup.entries).toBeGreaterThan(500);
  // Onto the folder of the running server: it is told so, and nothing happens to it.
  const onto = await outcomeOf('restore', join(parent, 'backups'), join(parent, 'first'));
  expect(onto).toEqual({
    code: 1,
    output: `The folder ${join(parent, 'first')} is in use by a server or a command: a backup is restored into a new folder.\n`,
  });
  const { statuses_count: atBackup } = await api<{ statuses_count: number }>(
    home,
    writer,
    'GET',
    `v1/accounts/${writer.id}`,
  );
  await until(isAt(atBackup + 40), { description: 'posts after the backup' });
  const { id: since } = await stream.next(({ event, id }) => event === 'update' && id !== undefined);
  stopping.abort();
  await home.kill();
  const acknowledged = (await workers).flat();
  stream.close();

  await command('restore', join(parent, 'backups'), join(parent, 'second'));
  home = await startTestServer({ dataDirectory: join(parent, 'second'), port: home.port });
  const after = await listed(`accounts/${writer.id}/statuses`, writer);
  const ids = new Set(after.map(({ id }) => id));
  expect(ids.size).toBe(after.length);
  expect(new Set(after.map(({ content }) => content)).size).toBe(after.length);
  expect(before.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(after.length).toBeLessThan(acknowledged.length);
  // Each is where its mention and its follower find it, whatever was on its way between partitions.
  await until(async () => {
    const mentions = await listed('notifications', reader);
    const timeline = await listed('timelines/home', reader);
    return mentions.length >= after.length && timeline.length >= after.length;
  });
  expect(await listed('notifications', reader)).toHaveLength(after.length);
  expect(await listed('timelines/home', reader)).toHaveLength(after.length);

  const highest = acknowledged.reduce((most, { id }) => (BigInt(id) > most ? BigInt(id) : most), 0n);
  const next = await api<Status>(home, writer, 'POST', 'v1/statuses', { status: 'from the new one' });
  expect(BigInt(next.id)).toBeGreaterThan(highest);
  await until(
    async () => {
      const timeline = await api<Status[]>(far, carol, 'GET', 'v1/timelines/home?limit=40');
      return timeline.some(({ uri }) => uri === next.uri);
    },
    { description: 'the new post at the other server' },
  );
  const resumed = await openStream(home, 'websocket', { channel: 'user', token: writer.token, since: since! });
  await resumed.next(({ event }) => event === 'gap');
  resumed.close();
}, 120_000);
