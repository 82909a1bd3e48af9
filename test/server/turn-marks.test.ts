/** A message over which the process dies again and again is found, and not run any more. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadOptions } from '../../src/options/load.ts';
import { PoisonList } from '../../src/runtime/threads/poison.ts';
import { TurnWatchReader, TurnWatchWriter } from '../../src/runtime/threads/turn-watch.ts';
import { openDataFolder } from '../../src/server/folder/data-folder.ts';
import { createThreads } from '../../src/server/start-threads.ts';
import { readTurnMarks } from '../../src/server/turn-marks.ts';
import { hear, playerOf } from '../runtime/support/players.ts';
import { builtEntry } from '../support/built.ts';
import { until } from '../support/until.ts';

const stage = builtEntry(new URL('../runtime/threads/fixtures/stage-entry.ts', import.meta.url));
const program = builtEntry(new URL('../runtime/threads/fixtures/killing-process.ts', import.meta.url));
const bob = playerOf(1, 2);

let folder: string;
let problems: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-marks-'));
  problems = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = ({ message }: { message: string }) => void problems.push(message);
const files = () => readdirSync(folder).filter((name) => name.endsWith('.mark'));

/** What an owner of this number does until its process dies. */
function live(pathOf: ((owner: number) => string) | undefined, owner: number, texts: readonly string[]): void {
  const poison = new PoisonList({
    store: { load: () => [], save: () => undefined },
    now: () => 0,
    changed: () => undefined,
    report,
  });
  const writer = new TurnWatchWriter(new TurnWatchReader(5_000, poison, pathOf?.(owner)).start(), report);
  for (const [index, text] of texts.entries()) {
    if (index > 0) writer.end();
    if (text !== '') writer.begin(hear(bob, 'listen', text));
  }
}

describe('a message is suspected when the process died while it ran', () => {
  const open = (wasLeftOpen = true) => readTurnMarks(folder, wasLeftOpen, report);

  test('and is poison when that happens twice in a row, whichever owner ran it', () => {
    live(open(false).pathOf, 0, ['one']);
    expect(files()).toEqual([]);
    live(open().pathOf, 0, ['one', 'two']);
    const second = open();
    expect([second.killers, problems]).toEqual([
      [],
      [expect.stringMatching(/^the last process died while it ran the message [0-9a-f]{12}: if another/)],
    ]);
    live(second.pathOf, 1, ['one', 'two']);
    const third = open();
    expect(third.killers).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), head: expect.anything() }]);
    expect(files()).toEqual([]);
  });

  test.each([
    ['between two others over which it did not die', [['two'], ['one'], ['two']], true],
    ['at once after a process that ran something else', [['one'], ['one', 'two']], true],
    ['that has ended by then', [['one'], ['one', '']], true],
    ['before a process that closed the folder', [['one']], false],
  ])('but not %s', (_when, lives, wasLeftOpen) => {
    for (const texts of lives) live(open().pathOf, 0, texts);
    expect(open(wasLeftOpen).killers).toEqual([]);
    expect(files().filter((name) => name.startsWith('running'))).toEqual([]);
    live(open().pathOf, 0, ['three']);
    expect(open().killers).toEqual([]);
  });

  test('also when a start in between ran nothing', () => {
    live(open().pathOf, 0, ['one']);
    for (let start = 0; start < 3; start += 1) open();
    live(open().pathOf, 0, ['one']);
    expect(open().killers).toHaveLength(1);
  });

  test('also when it is so long that only its digest is marked', () => {
    for (let death = 0; death < 2; death += 1) live(open().pathOf, 0, ['x'.repeat(100_000)]);
    expect(open().killers).toHaveLength(1);
  });
});

test('a server asks for the marks of its folder', () => {
  const start = (unclosedStarts: number) =>
    createThreads({
      main: { entry: stage, cores: 1, memoryBytes: 2 ** 30 },
      options: loadOptions({ environment: {}, configurationFolder: folder }),
      folder: openDataFolder(folder),
      manifest: { format: 7, minimumReader: 7, id: 'folder', epoch: 1, commits: [0], partitions: 1, unclosedStarts },
      listening: false,
    }).supervisor;
  const pathOf = () => join(folder, 'running-0.mark');
  live(pathOf, 0, ['one']);
  expect(start(1).poison.list()).toEqual([]);
  live(pathOf, 0, ['one']);
  expect(start(1).poison.list()).toMatchObject([{ key: String(bob), reason: 'died' }]);
  live(pathOf, 0, ['two']);
  expect([start(0).poison.list().length, files()]).toEqual([1, []]);
});

test('a mark that cannot be read is reported and ignored', () => {
  writeFileSync(join(folder, 'running-0.mark'), 'odd');
  writeFileSync(join(folder, 'running-1.mark'), '');
  expect(readTurnMarks(folder, true, report).killers).toEqual([]);
  expect([problems, files()]).toEqual([[expect.stringContaining('running-0.mark cannot be read')], []]);
});

test('turns go on where marks cannot be written', () => {
  rmSync(folder, { recursive: true });
  live((owner) => join(folder, `running-${owner}.mark`), 0, ['one', 'two']);
  expect(problems).toEqual([expect.stringContaining('are not marked any more')]);
});

test('a server that dies over a durable message lives at its fourth start, and the message is a dead letter', async () => {
  let child: ChildProcess | undefined;
  let said = '';
  async function start(wasLeftOpen: boolean): Promise<string> {
    const server = spawn(process.execPath, [fileURLToPath(program), folder, fileURLToPath(stage), String(wasLeftOpen)]);
    child = server;
    said = '';
    let end: string | undefined;
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    server.once('close', (_code, signal) => {
      end = `ended by ${signal}`;
    });
    // What it reports of the message that it does not run any more.
    const lives = () => (existsSync(join(folder, 'journal')) ? 'lives' : undefined);
    return until(() => end ?? lives(), { description: 'the server ends or lives' });
  }
  try {
    expect([await start(false), await start(true), await start(true)]).toEqual(Array(3).fill('ended by SIGKILL'));
    expect(said).toContain('the last process died while it ran the message');
    expect(await start(true)).toBe('lives');
    await until(() => said.includes(`poison: ${bob} died`));
  } finally {
    child?.kill('SIGKILL');
  }
});
