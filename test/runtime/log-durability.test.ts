/** What "on disk" means, tested with a disk that is slow to flush and one that is full. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Death } from './support/dying-owner.ts';
import { compileLibrary, whyNoPreloading } from './support/preloading.ts';

const run = promisify(execFile);
const support = (file: string) => fileURLToPath(new URL(`support/${file}`, import.meta.url));
const flushMilliseconds = 600;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-disk-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const obstacle = whyNoPreloading();
if (obstacle !== undefined) console.warn(`The tests on a disk that takes long to flush are passed over: ${obstacle}.`);

// because the slowed flush is a preloaded library, which needs Linux and a C compiler
describe.skipIf(obstacle !== undefined)('on a disk that takes long to flush', () => {
  let slowDisk: string;

  beforeAll(() => {
    slowDisk = compileLibrary('slow-disk', folder);
  });

  /** When another thread saw the batch: while it was flushed, or when no flush was under way. */
  async function seen(mode: 'durable' | 'overlapping', attempt = 0): Promise<'while flushing' | 'between flushes'> {
    const journal = join(folder, `${mode}-${attempt}-flushes`);
    const delay = { FLUSH_MICROSECONDS: String(flushMilliseconds * 1000), FLUSH_JOURNAL: journal };
    const { stdout } = await run(
      process.execPath,
      [support('early-reader.ts'), join(folder, `${mode}-${attempt}`), mode],
      {
        env: { ...process.env, LD_PRELOAD: slowDisk, ...delay },
      },
    );
    const seenAt = BigInt((JSON.parse(stdout) as { seenAt: string }).seenAt);
    const flushes = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    const isMeanwhile = flushes.some((line) => {
      const [begun, ended] = line.split(' ').map(BigInt);
      return begun! < seenAt && seenAt < ended!;
    });
    return isMeanwhile ? 'while flushing' : 'between flushes';
  }

  test('no thread sees a batch before it is flushed', async () => {
    expect(await seen('durable')).toBe('between flushes');
  });

  test('and it would be noticed: the default mode of lmdb-js does show it early', async () => {
    // On a busy machine the reader may be late now and then.
    const views: string[] = [];
    while (!views.includes('while flushing') && views.length < 5) views.push(await seen('overlapping', views.length));
    expect(views).toContain('while flushing');
  });

  test('a thread that dies while its append is flushed writes nothing more once it has ended', async () => {
    const deaths: readonly Death[] = ['throw', 'exit', 'terminate'];
    const found = await Promise.all(
      deaths.map(async (death) => {
        const delay = {
          FLUSH_MICROSECONDS: String(flushMilliseconds * 1000),
          FLUSH_JOURNAL: join(folder, `${death}-log`),
          FLUSH_BEGUN: join(folder, `${death}-begun`),
        };
        const { stdout } = await run(process.execPath, [support('dying-owner.ts'), join(folder, death), death], {
          env: { ...process.env, LD_PRELOAD: slowDisk, ...delay },
        });
        return JSON.parse(stdout) as unknown;
      }),
    );
    // The thread ends when the commit has: whoever opens the log then finds it.
    const whole = { said: ['appending'], atOpening: true, old: true, next: true };
    expect(found).toEqual(deaths.map(() => whole));
  });
});

test('readers in other threads follow a log that outgrows its map', async () => {
  const { stdout } = await run(process.execPath, [support('growing-map.ts'), join(folder, 'growing')]);
  expect(JSON.parse(stdout)).toEqual({ seen: 60, wrong: 0 });
});

// because the limit on file sizes is one of a Unix shell
describe.skipIf(process.platform === 'win32')('on a disk that is full', () => {
  test('an append fails with its cause, is not seen, and the next one is taken', async () => {
    // Files end at 1 MB, and reaching the end is an error instead of a signal.
    const limited = 'trap "" XFSZ; ulimit -f 1024; exec "$0" "$@"';
    const { stdout } = await run('bash', [
      '-c',
      limited,
      process.execPath,
      support('full-disk.ts'),
      join(folder, 'full'),
    ]);
    expect(JSON.parse(stdout)).toEqual([
      'completed, seen',
      // LMDB makes an input/output error of a write that was cut off.
      expect.stringMatching(/^refused as (full|unknown) \(Error: .+\), not seen$/),
      'completed, seen',
    ]);
  });
});
