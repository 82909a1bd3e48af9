/**
 * A record that was overwritten with garbage on the disk of a whole server: it is set aside once as a dead letter, its
 * place is that which `murmuration check` names, and everything else is served.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountCounters } from '../../src/actors/account/profile/profile.state.ts';
import { statuses } from '../../src/actors/account/statuses/statuses.state.ts';
import { dayOf } from '../../src/actors/session/session.messages.ts';
import { lastActive, usageTotals, weeklyActivity, weekOf } from '../../src/actors/usage.state.ts';
import { pack } from '../../src/runtime/codec.ts';
import { slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { deadLetters, events, inbox, meta, timers } from '../../src/runtime/storage/machine.ts';
import { partitionPath } from '../../src/server/partitions.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

const partitions = 2;
const garbage = Uint8Array.of(0xdf, 0xff, 0xff);

let dataDirectory: string;
let port: number;
let server: RunningServer | undefined;

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-damaged-'));
  port = await freePort();
});

afterEach(async () => {
  // A failed test may leave it running. Not `stop`, which checks the folder of a server that was killed before.
  await server?.kill();
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function start(): Promise<RunningServer> {
  server = await startTestServer({ dataDirectory, port, environment: { MURMURATION_PARTITIONS: String(partitions) } });
  return server;
}

/** The command shows what was sampled last, up to a second before. */
async function untilStatusSays(running: RunningServer, words: string): Promise<void> {
  await until(async () => (await running.run('status')).includes(words), { description: `status to say ${words}` });
}

async function overwrite<Key extends readonly unknown[]>(
  space: Keyspace<Key, unknown>,
  key: Key,
  partition = evenPlacement(partitions).partitionOf(space.slotOf(key)),
): Promise<void> {
  await write(partition, new Map([[space.encode(key), garbage]]));
}

async function write(partition: number, entries: ReadonlyMap<Uint8Array, Uint8Array>): Promise<void> {
  await onDisk(partition, (database) =>
    database.transaction(() => {
      for (const [key, value] of entries) database.put(key, value);
    }),
  );
}

/** Without the log, which refuses to write beside counters that it cannot decode. */
async function onDisk<Result>(
  partition: number,
  work: (database: RootDatabase<Uint8Array, Uint8Array>) => Result | Promise<Result>,
): Promise<Result> {
  const path = partitionPath(dataDirectory, partition);
  const options = { encoding: 'binary', keyEncoding: 'binary', overlappingSync: false } as const;
  const database = open<Uint8Array, Uint8Array>({ path, ...options });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

test('is a letter with bytes and place once, whoever meets it, and across a crash', async () => {
  const first = await start();
  const [alice, bob] = [await first.createUser('alice'), await first.createUser('bob')];
  const post = ({ fetch }: RunningServer, { token }: User, status: string) =>
    fetch('/api/v1/statuses', { method: 'POST', token, json: { status } });
  const idOfPost = async (text: string) => ((await (await post(first, alice, text)).json()) as { id: string }).id;
  const [kept, lost] = [await idOfPost('kept'), await idOfPost('lost')];
  await first.stop();
  await overwrite(statuses, [BigInt(lost)]);
  await overwrite(accountCounters, [BigInt(bob.id)]);
  const places = [`the entry ${lost} of statuses`, `the entry ${bob.id} of account counters`];

  const second = await start();
  expect(await second.run('dead-letters', 'list')).toBe('There are no dead letters.\n');
  const shownOf = async ({ fetch }: RunningServer) =>
    ((await (await fetch(`/api/v1/accounts/${alice.id}/statuses`)).json()) as { id: string }[]).map(({ id }) => id);
  const letters = async ({ run }: RunningServer) => (await run('dead-letters', 'list')).trim().split('\n').sort();
  // A gateway reads the first, leaves it out and tells the owner.
  expect(await shownOf(second)).toEqual([kept]);
  await until(async () => (await letters(second))[0]!.includes(places[0]!), { description: 'the letter' });
  const [name] = (await letters(second))[0]!.split(' ');
  expect(await second.run('dead-letters', 'show', name!)).toMatch(
    new RegExp(`\nRecord: ${places[0]}\nError: it cannot be decoded: .*\nBytes: dfffff\n$`),
  );
  // Others are not concerned.
  const { token } = alice;
  expect((await second.fetch(`/api/v1/statuses/${kept}/favourite`, { method: 'POST', token })).status).toBe(200);
  // A turn needs the second: when its caller hears of it the letter is on disk.
  expect((await post(second, bob, 'hello')).status).toBe(500);
  await second.kill();

  const third = await start();
  expect([await shownOf(third), (await post(third, bob, 'hello')).status]).toEqual([[kept], 500]);
  expect(await letters(third)).toHaveLength(2);
  for (const place of places)
    expect(await third.run('dead-letters', 'list')).toMatch(new RegExp(`  ${place}: it cannot be decoded: `));
  // The folder of a killed server is checked when it stops.
  const complaint = await third.stop().then(String, String);
  for (const place of places) expect(complaint).toContain(`: ${place.replace('the', 'The')} cannot be decoded`);
});

test('statistics begin anew: nobody is kept from posting, and the letter has the bytes', async () => {
  const first = await start();
  const alice = await first.createUser('alice');
  const post = ({ fetch }: RunningServer) =>
    fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json: { status: 'hello' } });
  expect((await post(first)).status).toBe(200);
  const partition = evenPlacement(partitions).partitionOf(slotOfId(BigInt(alice.id)));
  await first.stop();
  const today = dayOf(Date.now());
  await overwrite(usageTotals, [0], partition);
  await overwrite(weeklyActivity, [weekOf(today)], partition);
  await overwrite(lastActive, [today], partition);

  const second = await start();
  expect((await post(second)).status).toBe(200);
  expect(
    ((await (await second.fetch('/api/v1/instance/activity')).json()) as { statuses: string }[])[0]!.statuses,
  ).toBe('1');
  const letters = await second.run('dead-letters', 'list');
  for (const name of ['usage totals', 'weekly activity'])
    expect(letters).toMatch(new RegExp(`  the entry \\d+ of ${name}: it cannot be decoded: `));
  await second.kill();
});

test('that is deleted by command is gone, although gateways had read it before', async () => {
  const running = await start();
  const { token } = await running.createUser('alice');
  const posted = await running.fetch('/api/v1/statuses', { method: 'POST', token, json: { status: 'hello' } });
  const { id } = (await posted.json()) as { id: string };
  const shown = async () => (await running.fetch(`/api/v1/statuses/${id}`)).status;
  expect(await shown()).toBe(200);
  await overwrite(statuses, [BigInt(id)]);
  // The owner hears of it from whoever reads storage.
  expect((await running.fetch(`/api/v1/statuses/${id}/favourite`, { method: 'POST', token })).status).toBe(404);
  const letters = () => running.run('dead-letters', 'list');
  await until(async () => (await letters()).includes(`the entry ${id} of statuses`), { description: 'the letter' });
  expect(await shown()).toBe(200);
  const [name] = (await letters()).split(' ');
  expect(await running.run('dead-letters', 'delete-record', name!)).toContain('Deleted.');
  expect(await shown()).toBe(404);
  await running.kill();
});

test('counters that are damaged while the server runs: their partition stands still, and everybody is told', async () => {
  const running = await start();
  const alice = await running.createUser('alice');
  const partition = evenPlacement(partitions).partitionOf(slotOfId(BigInt(alice.id)));
  const health = async () => {
    // Not through the server's `fetch`: answers of a server that is down are not declared.
    const answer = await fetch(`${running.origin}/health`, { headers: { accept: 'application/json' } });
    return [answer.status, ((await answer.json()) as { problems: unknown }).problems];
  };
  /** A gateway asks the partitions at most once a second, and says that of one which is late. */
  const untilHealthIs = (status: number, problems: readonly unknown[]) =>
    until(async () => JSON.stringify(await health()) === JSON.stringify([status, problems]), {
      description: `the health to be ${status}`,
    });
  const post = async () => {
    const json = { status: 'hello' };
    return (await running.fetch('/api/v1/statuses', { method: 'POST', token: alice.token, json })).status;
  };
  const sound = await onDisk(partition, (database) => Uint8Array.from(database.get(meta.encode([0]))!));
  await write(partition, new Map([[meta.encode([0]), garbage]]));
  // Nobody writes: a gateway that reads the counters tells the owner.
  await untilHealthIs(503, [{ partition, problem: 'has counters that cannot be decoded' }]);
  expect(await post()).toBe(503);
  await untilStatusSays(
    running,
    '\nDamaged: some partitions stand still, because their counters cannot be decoded; the log says what to do.\n',
  );
  const words = 'has a record of \\"meta\\" that cannot be decoded';
  const sentence = `Partition ${partition} ${words}, and stands still. Nothing was changed. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
  expect(running.output().split(sentence)).toHaveLength(2);

  await write(partition, new Map([[meta.encode([0]), sound]]));
  await untilHealthIs(200, []);
  expect(await post()).toBe(200);
  await running.kill();
});

test('what the machine stores of its own costs nothing else, and has one letter across starts', async () => {
  const first = await start();
  const alice = await first.createUser('alice');
  const partition = evenPlacement(partitions).partitionOf(slotOfId(BigInt(alice.id)));
  await first.stop();
  const odd = Uint8Array.from(pack([1, 2]));
  const nothing = new Uint8Array(0);
  const number = 2 ** 40;
  const tooShort = timers.encode([5, number]).subarray(0, -4);
  await write(
    partition,
    new Map<Uint8Array, Uint8Array>([
      [inbox.encode([number]), garbage],
      [inbox.encode([number + 1]), nothing],
      [inbox.encode([number + 2]), odd],
      [timers.encode([5, number]), garbage],
      [timers.encode([5, number + 1]), nothing],
      [tooShort, garbage],
      [events.encode([1]), odd],
      [deadLetters.encode([number]), garbage],
    ]),
  );
  const places = [
    `inbox ${number}`,
    `inbox ${number + 1}`,
    `inbox ${number + 2}`,
    `timer 5 ${number}`,
    `timer 5 ${number + 1}`,
    `the key ${tooShort.toString('hex')} of timers`,
    `dead letter ${number}`,
    'the entry 1 of events',
  ];

  for (let starts = 0; starts < 2; starts += 1) {
    const running = await start();
    const answer = await running.fetch('/api/v1/statuses', {
      ...{ method: 'POST', token: alice.token, json: { status: 'hello' } },
    });
    expect(answer.status).toBe(200);
    const letters = async () => (await running.run('dead-letters', 'list')).trim().split('\n');
    await until(async () => (await letters()).length >= places.length, { description: 'the letters' });
    const found = await letters();
    expect(found).toHaveLength(places.length);
    for (const place of places) expect(found.filter((line) => line.includes(`  ${place}: `))).toHaveLength(1);
    // Without the letter that the test has put there, which nobody has counted.
    const written = places.length - 1;
    const health = await running.fetch('/health', { headers: { accept: 'application/json' } });
    expect(await health.json()).toMatchObject({ status: 'UP', dead_letters: written });
    await untilStatusSays(running, ` ${written} kept; damaged records met: `);
    await running.kill();
  }
});
