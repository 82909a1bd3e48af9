/** Poison messages for the operator, and across restarts. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { pack } from '../../src/runtime/codec.ts';
import { threadLimits } from '../../src/runtime/limits.ts';
import { allocateMetrics } from '../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../src/runtime/metrics/metrics.ts';
import { PoisonList } from '../../src/runtime/threads/poison.ts';
import { createOperator } from '../../src/server/operator.ts';
import { poisonFile } from '../../src/server/poison-file.ts';

const digest = 'c0ffee'.padEnd(64, '0');
const { kind, message } = Account.publish.to(7n, {} as never);

let folder: string;
let problems: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-poison-'));
  problems = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): { poison: PoisonList; told: (readonly string[])[]; command(request: unknown): Promise<unknown> } {
  const told: (readonly string[])[] = [];
  const poison = new PoisonList({
    store: poisonFile(folder, ({ message: problem }) => void problems.push(problem)),
    now: () => Date.parse('2026-11-22T12:00:00Z'),
    changed: (digests) => told.push(digests),
    report: ({ message: problem }) => void problems.push(problem),
  });
  const metrics = new Metrics(allocateMetrics());
  const admin = (request: unknown) => Promise.resolve({ asked: request });
  const command = createOperator({ poison, metrics, measuring: [], admin });
  return { poison, told, command };
}

test('a message that hung is listed by the name of its handler, also after a restart, until it is lifted', async () => {
  const first = open();
  first.poison.hung(digest, pack([kind, message, 7n]));
  const line = 'c0ffee000000  2026-11-22T12:00:00.000Z  account.publish to 7: it ran for too long';
  expect(await first.command({ command: 'poison list', input: {} })).toEqual({ ok: true, lines: [line] });
  const second = open();
  expect(second.poison.digests).toEqual([digest]);
  expect(await second.command({ command: 'poison list', input: {} })).toEqual({ ok: true, lines: [line] });
  expect(await second.command({ command: 'poison lift', input: { named: 'c0ffee000000' } })).toMatchObject({
    ok: true,
  });
  // The owners have to know.
  expect([first.told, second.told]).toEqual([[[digest]], [[]]]);
  expect(await open().command({ command: 'poison list', input: {} })).toMatchObject({
    lines: ['There are no poison messages.'],
  });
});

test('a message is not run again from the second death on; the first costs it nothing', () => {
  const { poison } = open();
  const head = pack([kind, message, 7n]);
  poison.died(digest, head);
  expect(poison.digests).toEqual([]);
  poison.died(digest, head);
  expect(poison.list()).toMatchObject([{ digest, reason: 'died', key: '7' }]);
});

test('above their bound the oldest is run again: it is reported and counted', () => {
  const { notedMessagesMax } = threadLimits;
  const list = Array.from({ length: notedMessagesMax }, (_, number) => ({
    ...({
      digest: String(number).padStart(64, 'a'),
      kind,
      message,
      key: String(number),
      reason: 'hung',
      at: 0,
    } as const),
  }));
  const poison = new PoisonList({
    store: { load: () => list, save: () => undefined },
    now: () => 0,
    changed: () => undefined,
    report: ({ message: problem }) => void problems.push(problem),
  });
  poison.hung(digest, pack([kind, message, 7n]));
  expect([poison.list().length, poison.forgotten, poison.digests.at(-1)]).toEqual([notedMessagesMax, 1, digest]);
  expect(problems).toEqual([
    `there are more than ${notedMessagesMax} poison messages: the oldest, ${'a'.repeat(12)} to 0, is run again where it comes again`,
  ]);
});

test('what is not on the list cannot be lifted', async () => {
  const { command, told } = open();
  expect(await command({ command: 'poison lift', input: { named: 'c0ffee000000' } })).toEqual({
    ok: false,
    sentence: 'There is no poison message c0ffee000000.',
  });
  expect(told).toEqual([]);
});

test('a list that cannot be read is reported, and does not keep the server from its start', () => {
  writeFileSync(join(folder, 'poison.json'), '[{"digest":');
  expect(open().poison.digests).toEqual([]);
  expect(problems).toEqual([expect.stringContaining('poison.json could not be read')]);
});

test('a list that cannot be written is reported, and holds until the process ends', () => {
  const { poison } = open();
  rmSync(folder, { recursive: true });
  poison.hung(digest, pack([kind, message, 7n]));
  expect(poison.digests).toEqual([digest]);
  expect(problems).toEqual([expect.stringContaining('could not be written')]);
  expect(existsSync(folder)).toBe(false);
});

test('nobody else can read the list: keys of actors are in it', () => {
  open().poison.hung(digest, pack([kind, message, 7n]));
  expect(statSync(join(folder, 'poison.json')).mode & 0o777).toBe(0o600);
});

test('other commands reach a gateway', async () => {
  const request = { command: 'accounts show', input: { username: 'alice' } };
  expect(await open().command(request)).toEqual({ asked: request });
});
