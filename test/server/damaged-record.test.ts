/**
 * A record that was overwritten with garbage on the disk of a whole server: it is set aside once as a dead letter, its
 * place is that which `murmuration check` names, and everything else is served.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
let server: RunningServer;
/** Of records of accounts. */
let places: string[];

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-damaged-'));
  port = await freePort();
  server = await start();
});

afterAll(async () => {
  // A failed test may leave it running. Not `stop`, which checks the folder of a server that was killed before.
  await server.kill();
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function start(): Promise<RunningServer> {
  server = await startTestServer({ dataDirectory, port, environment: { MURMURATION_PARTITIONS: String(partitions) } });
  return server;
}

async function post({ token }: User, status = 'hello'): Promise<{ status: number; id: string }> {
  const answer = await server.fetch('/api/v1/statuses', { method: 'POST', token, json: { status } });
  return { status: answer.status, id: ((await answer.json()) as { id: string }).id };
}

/** A line each. */
async function letters(): Promise<string[]> {
  return (await server.run('dead-letters', 'list')).trim().split('\n').sort();
}

const letterAbout = async (place: string) => (await letters()).filter((line) => line.includes(`  ${place}: `));
const untilThereIsOneAbout = (place: string) =>
  until(async () => (await letterAbout(place)).length === 1, { description: `the letter about ${place}` });
const partitionOf = ({ id }: User) => evenPlacement(partitions).partitionOf(slotOfId(BigInt(id)));

/** The command shows what was sampled last, up to a second before. */
async function untilStatusSays(words: string): Promise<void> {
  await until(async () => (await server.run('status')).includes(words), { description: `status to say ${words}` });
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

/** Entries of the machine itself; returns where. */
async function overwriteOfMachine(partition: number): Promise<string[]> {
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
  return [
    `inbox ${number}`,
    `inbox ${number + 1}`,
    `inbox ${number + 2}`,
    `timer 5 ${number}`,
    `timer 5 ${number + 1}`,
    `the key ${tooShort.toString('hex')} of timers`,
    `dead letter ${number}`,
    'the entry 1 of events',
  ];
}

describe('while the server was stopped', () => {
  let carol: User;
  let dora: User;
  let kept: string;
  let lost: string;
  let machinePlaces: string[];
  const statistics = ['usage totals', 'weekly activity', 'last active'];

  beforeAll(async () => {
    [carol, dora] = [await server.createUser('carol'), await server.createUser('dora')];
    [kept, lost] = [(await post(carol, 'kept')).id, (await post(carol, 'lost')).id];
    await server.stop();
    places = [`the entry ${lost} of statuses`, `the entry ${dora.id} of account counters`];
    await overwrite(statuses, [BigInt(lost)]);
    await overwrite(accountCounters, [BigInt(dora.id)]);
    const partition = partitionOf(carol);
    const today = dayOf(Date.now());
    await overwrite(usageTotals, [0], partition);
    await overwrite(weeklyActivity, [weekOf(today)], partition);
    await overwrite(lastActive, [today], partition);
    machinePlaces = await overwriteOfMachine(partition);
    await start();
  });

  const shownOfCarol = async () =>
    ((await (await server.fetch(`/api/v1/accounts/${carol.id}/statuses`)).json()) as { id: string }[]).map(
      ({ id }) => id,
    );

  test('a record is a letter with bytes and place, whoever meets it', async () => {
    expect(await letterAbout(places[0]!)).toEqual([]);
    // A gateway reads the first, leaves it out and tells the owner.
    expect(await shownOfCarol()).toEqual([kept]);
    await untilThereIsOneAbout(places[0]!);
    const [name] = (await letterAbout(places[0]!))[0]!.split(' ');
    expect(await server.run('dead-letters', 'show', name!)).toMatch(
      new RegExp(`\nRecord: ${places[0]}\nError: it cannot be decoded: .*\nBytes: dfffff\n$`),
    );
    // Others are not concerned.
    const favourite = { method: 'POST', token: carol.token };
    expect((await server.fetch(`/api/v1/statuses/${kept}/favourite`, favourite)).status).toBe(200);
    // A turn needs the second: when its caller hears of it the letter is on disk.
    expect((await post(dora)).status).toBe(500);
    expect(await letterAbout(places[1]!)).toHaveLength(1);
  });

  test('statistics begin anew: nobody is kept from posting, and the letter has the bytes', async () => {
    expect((await post(carol)).status).toBe(200);
    const activity = (await (await server.fetch('/api/v1/instance/activity')).json()) as { statuses: string }[];
    expect(activity[0]!.statuses).toBe('1');
    // Met here, or it would be a letter more at any later time; an answer is kept for a while, and may be older than the damage.
    await until(
      async () => {
        await server.fetch('/nodeinfo/2.0');
        return (await letters()).some((line) => line.includes(' of last active: '));
      },
      { description: 'the letter about who was active' },
    );
    const found = (await letters()).join('\n');
    for (const name of statistics)
      expect(found).toMatch(new RegExp(`  the entry \\d+ of ${name}: it cannot be decoded: `));
  });

  /** Without the letter that the test has put there, which nobody has counted. */
  async function expectOneLetterEach(): Promise<void> {
    for (const place of [...places, ...machinePlaces]) await untilThereIsOneAbout(place);
    const found = await letters();
    for (const name of statistics) expect(found.filter((line) => line.includes(` of ${name}: `))).toHaveLength(1);
    expect(found).toHaveLength(places.length + machinePlaces.length + statistics.length);
    const health = await server.fetch('/health', { headers: { accept: 'application/json' } });
    expect(await health.json()).toMatchObject({ status: 'UP', dead_letters: found.length - 1 });
    await untilStatusSays(` ${found.length - 1} kept; damaged records met: `);
  }

  test('what the machine stores of its own costs nothing else', async () => {
    expect((await post(carol)).status).toBe(200);
    await expectOneLetterEach();
  });

  test('each has one letter across a crash', async () => {
    await server.kill();
    await start();
    expect([await shownOfCarol(), (await post(dora)).status]).toEqual([expect.arrayContaining([kept]), 500]);
    expect(await shownOfCarol()).not.toContain(lost);
    expect((await post(carol)).status).toBe(200);
    await expectOneLetterEach();
  });
});

describe('while the server runs', () => {
  test('what is deleted by command is gone, although gateways had read it before', async () => {
    const alice = await server.createUser('alice');
    const { id } = await post(alice);
    const shown = async () => (await server.fetch(`/api/v1/statuses/${id}`)).status;
    expect(await shown()).toBe(200);
    await overwrite(statuses, [BigInt(id)]);
    // The owner hears of it from whoever reads storage.
    const favourite = { method: 'POST', token: alice.token };
    expect((await server.fetch(`/api/v1/statuses/${id}/favourite`, favourite)).status).toBe(404);
    await untilThereIsOneAbout(`the entry ${id} of statuses`);
    expect(await shown()).toBe(200);
    const [name] = (await letterAbout(`the entry ${id} of statuses`))[0]!.split(' ');
    expect(await server.run('dead-letters', 'delete-record', name!)).toContain('Deleted.');
    expect(await shown()).toBe(404);
  });

  test('counters that are damaged: their partition stands still, and everybody is told', async () => {
    const bob = await server.createUser('bob');
    const partition = partitionOf(bob);
    const health = async () => {
      // Not through the server's `fetch`: answers of a server that is down are not declared.
      const answer = await fetch(`${server.origin}/health`, { headers: { accept: 'application/json' } });
      return [answer.status, ((await answer.json()) as { problems: unknown }).problems];
    };
    /** A gateway asks the partitions at most once a second, and says that of one which is late. */
    const untilHealthIs = (status: number, problems: readonly unknown[]) =>
      until(async () => JSON.stringify(await health()) === JSON.stringify([status, problems]), {
        description: `the health to be ${status}`,
      });
    const sound = await onDisk(partition, (database) => Uint8Array.from(database.get(meta.encode([0]))!));
    await write(partition, new Map([[meta.encode([0]), garbage]]));
    // Nobody writes: a gateway that reads the counters tells the owner.
    await untilHealthIs(503, [{ partition, problem: 'has counters that cannot be decoded' }]);
    expect((await post(bob)).status).toBe(503);
    await untilStatusSays(
      '\nDamaged: some partitions stand still, because their counters cannot be decoded; the log says what to do.\n',
    );
    const words = 'has a record of \\"meta\\" that cannot be decoded';
    const sentence = `Partition ${partition} ${words}, and stands still. Nothing was changed. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
    expect(server.output().split(sentence)).toHaveLength(2);

    await write(partition, new Map([[meta.encode([0]), sound]]));
    await untilHealthIs(200, []);
    expect((await post(bob)).status).toBe(200);
  });
});

test('a check names the places', async () => {
  // The folder of a killed server is checked when it stops.
  const complaint = await server.stop().then(String, String);
  for (const place of places) expect(complaint).toContain(`: ${place.replace('the', 'The')} cannot be decoded`);
});
