/**
 * Real partitions in threads that die: acknowledged writes stay, messages arrive once, callers learn that the outcome
 * is unknown, and a message that kills threads becomes a dead letter.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { openLmdbReader } from '../../../src/runtime/storage/lmdb-log.ts';
import { deadLetters } from '../../../src/runtime/storage/machine.ts';
import { type Reader, SnapshotReader } from '../../../src/runtime/storage/reader.ts';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { until } from '../../support/until.ts';
import { notes, playerOf } from '../support/players.ts';
import { rolesOf } from '../support/roles.ts';
import { type Outcome, partitionPath, type StageRequest, type StageShared } from './fixtures/stage-shared.ts';

const entry = builtEntry(new URL('./fixtures/stage-entry.ts', import.meta.url));

const partitions = 4;

let folder: string;
let problems: Problem[];
let endings: boolean[];
let supervisor: Supervisor<StageShared>;

/** One server for all tests of a group: each has players of its own, and no thread dies more often than it may. */
async function startStage(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-stage-'));
  problems = [];
  endings = [];
  supervisor = new Supervisor<StageShared>({
    entry,
    roles: rolesOf({ owner: 2, network: 1, gateway: 1 }),
    shared: { folder, partitions },
    boot: 1,
    report: (problem) => void problems.push(problem),
    gaveUp: (clean) => void endings.push(clean),
    limits: { turnMilliseconds: 600, watchMilliseconds: 100 },
  });
  await supervisor.start();
}

async function stopStage(): Promise<void> {
  expect(await supervisor.stop()).toBe(true);
  expect(endings).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
}

let players = 0;

/** Somebody new in a partition; even ones are the first owner's, odd ones the second's. */
function player(partition: number): bigint {
  players += 1;
  return playerOf(partition, partitions, players);
}

function ask<Answer>(request: StageRequest): Promise<Answer> {
  return supervisor.admin(request) as Promise<Answer>;
}

function call(to: bigint, script: string, argument?: unknown): Promise<Outcome> {
  return ask({ what: 'call', player: to, script, argument });
}

/** Makes one player tell another something. */
function tell(from: bigint, to: bigint, script: string, amount = 0, times = 1): Promise<Outcome> {
  return call(from, 'pass', { to, script, amount, times });
}

function journal(): string {
  const file = join(folder, 'journal');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function total(of: bigint): Promise<unknown> {
  const outcome = await call(of, 'total');
  return 'value' in outcome ? outcome.value : undefined;
}

async function onDisk<Found>(look: (reader: Reader) => readonly Found[]): Promise<Found[]> {
  const found: Found[] = [];
  for (let partition = 0; partition < partitions; partition += 1) {
    const log = openLmdbReader({ path: partitionPath(folder, partition), mapBytes: 1 << 28, readOnly: true });
    found.push(...look(new SnapshotReader(log)));
    await log.close();
  }
  return found;
}

/** What was put aside: for whom, and why. */
function putAside(): Promise<{ player: unknown; error: string }[]> {
  return onDisk((reader) =>
    Array.from(reader.range(deadLetters, []), ({ value }) => ({ player: value.message[1], error: value.error })),
  );
}

describe('a thread that dies', () => {
  beforeAll(startStage);
  afterAll(stopStage);

  test('as an owner leaves its callers with an unknown outcome at once, and the next call is served', async () => {
    const [alice, bob, carol] = [player(0), player(1), player(2)];
    await call(alice, 'add', 5);
    const began = performance.now();
    const [killed, waiting] = await Promise.all([call(alice, 'die'), call(carol, 'add', 1)]);
    expect(killed).toEqual({ failure: 'outcomeUnknown' });
    // It ran before, or is not known, or reached the owner that came after.
    expect([{ value: 1 }, { failure: 'outcomeUnknown' }]).toContainEqual(waiting);
    // Later it would only be the deadline that was heard.
    expect(performance.now() - began).toBeLessThan(threadLimits.callDeadlineMilliseconds);
    expect(await total(alice)).toBe(5);
    expect(await call(bob, 'add', 2)).toEqual({ value: 2 });
  });

  test('as an owner takes each message that was on its way exactly once, in the life that follows', async () => {
    const [alice, bob] = [player(0), player(1)];
    await tell(alice, bob, 'add', 1, 600);
    await tell(alice, bob, 'die once, then add', 1_000);
    await tell(alice, bob, 'add', 1, 600);
    await until(async () => (await total(bob)) === 2_200);
    // Channels keep their order: nothing of the above comes later than this.
    await tell(alice, bob, 'add', 10_000);
    await until(async () => (await total(bob)) === 12_200);
  });

  test('as an owner takes messages within its own partition once as well', async () => {
    const [carol, dave] = [player(2), player(2)];
    await tell(carol, dave, 'die once, then add', 7);
    // Nothing of the turn that told it was committed.
    expect(await total(dave)).toBe(0);
    await tell(carol, dave, 'die once, then add', 7);
    await until(async () => (await total(dave)) === 7);
  });

  test('as an owner is listened to again', async () => {
    const alice = player(0);
    await call(alice, 'say', 'before');
    await call(alice, 'die');
    await call(alice, 'say', 'after');
    await until(async () => (await ask<string[]>({ what: 'events' })).includes('after'));
    const heard = await ask<string[]>({ what: 'events' });
    expect(heard.slice(heard.indexOf('before'))).toEqual(['before', '(listens)', 'after']);
  });

  test('as a network thread has its unanswered effects repeated by the one that follows', async () => {
    const alice = player(0);
    await call(alice, 'fetch', 'a page');
    await until(() => journal().includes('fetches a page in life 0'));
    await ask({ what: 'kill network' });
    await until(async () => (await onDisk((reader) => [...reader.range(notes, [alice])])).length > 0);
    expect(await onDisk((reader) => [...reader.range(notes, [alice])].map(({ value }) => value))).toEqual([
      'a page is here',
    ]);
  });

  test('as a gateway leaves no answer to the one that follows', async () => {
    const alice = player(0);
    await ask({ what: 'begin', player: alice, script: 'take long', argument: 400 });
    await until(() => journal().includes(`${alice} takes long`));
    await expect(ask({ what: 'die' })).rejects.toThrow('has ended');
    expect(await call(alice, 'add', 3)).toEqual({ value: 3 });
  });

  test('as a gateway is forgotten by the views that it spoke to', async () => {
    const [gateway] = await ask<number[]>({ what: 'callers', partition: 0 });
    await expect(ask({ what: 'die' })).rejects.toThrow('has ended');
    // It is there again because it asks.
    expect(await ask<number[]>({ what: 'callers', partition: 0 })).toEqual([gateway]);
  });

  test('costs no message its turn', async () => {
    expect(await putAside()).toEqual([]);
  });
});

describe('a message that costs threads their lives', () => {
  beforeAll(startStage);
  afterAll(stopStage);

  test('is put aside when two threads have died of it, and those behind it are run', async () => {
    const [alice, bob] = [player(0), player(1)];
    await tell(alice, bob, 'die');
    await tell(alice, bob, 'add', 4);
    await until(async () => (await total(bob)) === 4);
    const letters = (await putAside()).filter((letter) => letter.player === bob);
    expect(letters).toHaveLength(1);
    expect(letters[0]!.error).toMatch(/^player\.hear: its thread died twice/);
  });

  test('is put aside again when the operator sends it again, costs no further thread, and can be dropped', async () => {
    const [bob] = (await putAside()).map(({ player: whose }) => whose);
    const order = (what: 'retry' | 'drop', ...sequences: number[]) =>
      ask({ what: 'letters', partition: 1, order: { what, sequences } });
    expect(await order('retry', 1)).toMatchObject({ taken: 1, failed: 1 });
    expect(await putAside()).toEqual([{ player: bob, error: expect.stringContaining('its thread died twice') }]);
    expect(await order('drop', 1, 2)).toMatchObject({ taken: 1, failed: 0 });
    expect(await putAside()).toEqual([]);
  });

  test('is listed, and once lifted its letter can be sent again', async () => {
    const [alice, bob] = [player(0), player(3)];
    await tell(alice, bob, 'die until mended', 8);
    await until(async () => (await putAside()).some((letter) => letter.player === bob));
    writeFileSync(join(folder, 'mended'), '');
    const retry = (sequence: number) =>
      ask({ what: 'letters', partition: 3, order: { what: 'retry', sequences: [sequence] } });
    expect(await retry(1)).toMatchObject({ taken: 1, failed: 1 });
    const listed = supervisor.poison.list().find(({ key }) => key === String(bob));
    expect(listed).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/), reason: 'died' });
    expect(supervisor.poison.lift(listed!.digest.slice(0, 12))).toBe(1);
    expect(await retry(2)).toMatchObject({ taken: 1, failed: 0 });
    expect(await total(bob)).toBe(8);
    expect(supervisor.poison.list().filter(({ key }) => key === String(bob))).toEqual([]);
  });

  test('does no harm to one that differs from it in its last letter', async () => {
    const alice = player(0);
    const long = 'Good morning everyone, it is a long day today, and the last letter is '.repeat(3);
    expect(await call(alice, 'die at', { text: `${long}a`, at: 'a' })).toEqual({ failure: 'outcomeUnknown' });
    expect(await call(alice, 'die at', { text: `${long}a`, at: 'a' })).toEqual({ failure: 'outcomeUnknown' });
    expect(await call(alice, 'die at', { text: `${long}a`, at: 'a' })).toEqual({ failure: 'internal' });
    expect(await call(alice, 'die at', { text: `${long}b`, at: 'a' })).toEqual({ value: 'alive' });
  });

  test('is put aside alone when it was told within a partition', async () => {
    const [alice, neighbour] = [player(0), player(0)];
    // The call that tells it is lost with the thread, and made again, until it is committed without that message.
    expect(await tell(alice, neighbour, 'die')).toEqual({ failure: 'outcomeUnknown' });
    expect(await tell(alice, neighbour, 'die')).toEqual({ failure: 'outcomeUnknown' });
    expect(await tell(alice, neighbour, 'die')).toEqual({ value: undefined });
    expect((await putAside()).filter((letter) => letter.player === neighbour)).toHaveLength(1);
    expect((await putAside()).filter((letter) => letter.player === alice)).toEqual([]);
  });

  test('is refused after two deaths when it is called again and again, while others are served', async () => {
    const alice = player(0);
    expect(await call(alice, 'die', 'now')).toEqual({ failure: 'outcomeUnknown' });
    expect(await call(alice, 'die', 'now')).toEqual({ failure: 'outcomeUnknown' });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await call(alice, 'die', 'now')).toEqual({ failure: 'internal' });
    expect(await call(alice, 'add', 1)).toEqual({ value: 1 });
  });

  test('by never ending is stopped with its thread, and put aside at once', async () => {
    const [alice, bob] = [player(0), player(1)];
    await tell(alice, bob, 'loop');
    await tell(alice, bob, 'add', 4);
    await until(async () => (await total(bob)) === 4);
    expect(problems.map(({ message }) => message)).toContain('owner thread 1 hangs in a turn and is replaced');
    expect((await putAside()).filter((letter) => letter.player === bob)).toHaveLength(1);
  });

  test('may be one of many: six that never end do not end the server', async () => {
    const carol = player(2);
    for (let message = 0; message < 6; message += 1)
      expect(await call(carol, 'loop', message)).toEqual({ failure: 'outcomeUnknown' });
    expect(await call(carol, 'add', 1)).toEqual({ value: 1 });
  });

  test('by never ending leaves its caller with an unknown outcome; one that only takes long is answered', async () => {
    const [alice, bob] = [player(0), player(1)];
    const [endless, long] = await Promise.all([call(alice, 'loop'), call(bob, 'take long', 300)]);
    expect(endless).toEqual({ failure: 'outcomeUnknown' });
    expect(long).toEqual({ value: 'late' });
  });
});
