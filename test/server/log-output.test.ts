/** The log as it leaves the process: through pipes that nobody reads for a while, or ever again. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/runtime/threads/clock.ts';
import { type LogFile, LogOutput, logLimits, openLogFile } from '../../src/server/log-output.ts';
import { linesReported } from './fixtures/log-process.ts';

const program = join(import.meta.dirname, 'fixtures/log-process.ts');

/** Counts the lines of a log, each with its number, and those that are said to be missing at their place. */
function account(log: string): { told: number; missing: number } {
  let [told, missing] = [0, 0];
  for (const line of log.trimEnd().split('\n')) {
    const { msg } = JSON.parse(line) as { msg: string };
    const left = /^(\d+) lines of the log are missing here: nobody read it$/.exec(msg)?.[1];
    if (left !== undefined) missing += Number(left);
    else {
      expect(msg).toBe(`line ${told + missing}`);
      told += 1;
    }
  }
  return { told, missing };
}

describe('a pipe', () => {
  let folder: string;
  let reading: number;
  let writing: number;
  let opened: number | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'murmuration-log-'));
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    writing = openSync(path, constants.O_WRONLY);
    opened = undefined;
  });

  afterEach(() => {
    for (const file of new Set([writing, opened ?? writing])) closeSync(file);
    rmSync(folder, { recursive: true });
  });

  function open(waitingBytesMax?: number): LogFile {
    const logFile = openLogFile(writing, waitingBytesMax);
    opened = logFile.file;
    return logFile;
  }

  /** What is in the pipe now. */
  function read(): string {
    const chunk = Buffer.alloc(1_048_576);
    try {
      return chunk.toString('utf8', 0, readSync(reading, chunk));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
      throw error;
    }
  }

  async function readAll(output: LogOutput): Promise<string> {
    let all = read();
    while (output.isWaiting) {
      await output.flush(0);
      all += read();
    }
    return all;
  }

  test('gets each line at once', () => {
    const output = new LogOutput(open());
    output.write('one\n');
    expect(read()).toBe('one\n');
    output.write('zwei\u00e4\n');
    expect(read()).toBe('zwei\u00e4\n');
  });

  test('that nobody reads for a while gets the lines of all threads later, whole and in their order', async () => {
    const logFile = open();
    const threads = [new LogOutput(logFile), new LogOutput(logFile)];
    const lines = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat((index * 37) % 6_000)}\n`);
    for (const [index, line] of lines.entries()) threads[index % 2]!.write(line);
    expect(lines.join('').length).toBeGreaterThan(500_000);
    expect(await readAll(threads[0]!)).toBe(lines.join(''));
    threads[1]!.write('later\n');
    expect(read()).toBe('later\n');
  });

  test('that nobody reads for long lacks lines, and says where and how many', async () => {
    const output = new LogOutput(open(20_000));
    const line = (index: number) => `${JSON.stringify({ msg: `line ${index}`, text: 'x'.repeat(1_000) })}\n`;
    for (let index = 0; index < 200; index += 1) output.write(line(index));
    let all = read();
    await output.flush(0);
    output.write(line(200));
    all += await readAll(output);
    const { told, missing } = account(all);
    expect(told + missing).toBe(201);
    expect(missing).toBeGreaterThan(100);
  });

  test('whose rest nobody reads does not keep the process for ever', async () => {
    const output = new LogOutput(open());
    for (let index = 0; index < 200; index += 1) output.write(`${'x'.repeat(1_000)}\n`);
    const { monotonic } = systemClock;
    const looks = vi.spyOn(systemClock, 'monotonic');
    const flushed = output.flush();
    looks.mockImplementation(() => monotonic() + logLimits.flushMilliseconds);
    await flushed;
    looks.mockRestore();
    expect(output.isWaiting).toBe(true);
  });

  test('that is closed gets nothing, and nothing waits for it', async () => {
    const output = new LogOutput(open());
    for (let index = 0; index < 200; index += 1) output.write(`${'x'.repeat(1_000)}\n`);
    closeSync(reading);
    await output.flush();
    output.write('more\n');
    expect(output.isWaiting).toBe(false);
  });

  test('is free again when the thread that wrote to it was ended meanwhile', () => {
    const logFile = open();
    // As it leaves the lock.
    Atomics.store(new Int32Array(logFile.memory, 0, 1), 0, 1);
    new LogOutput(logFile).write('one\n');
    expect(read()).toBe('one\n');
  });
});

test('a file is appended to where it is, also what others wrote', () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-log-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'a');
  execFileSync('echo', ['before'], { stdio: ['ignore', file, 'inherit'] });
  new LogOutput(openLogFile(file)).write('after\n');
  closeSync(file);
  expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
  rmSync(folder, { recursive: true });
});

test('a process whose log nobody reads for a while goes on, and tells when it ends what it wrote or left out', async () => {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  expect(await Promise.race([once(child, 'message'), ended])).toEqual(['went on', undefined]);
  child.send('end');
  const { told, missing } = account(await text(child.stdout!));
  expect(await ended).toEqual([0, null]);
  expect(told + missing).toBe(linesReported);
  expect(missing).toBeGreaterThan(0);
});
