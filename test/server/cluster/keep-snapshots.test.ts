/** When a node that stands by makes snapshots; what it starts is a program that notes how it was called. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../../src/runtime/ports.ts';
import { keepSnapshots } from '../../../src/server/cluster/keep-snapshots.ts';
import { until } from '../../support/until.ts';

const lookMilliseconds = 10_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-snapshots-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function keep(program: string, standby: { bytesRead: number }, clock?: { monotonic(): number }) {
  const entry = join(folder, 'program.mjs');
  writeFileSync(entry, program);
  const problems: Problem[] = [];
  const end = keepSnapshots({
    options: { clusterSnapshotHours: 6, clusterSnapshotMegabytes: 2 },
    standby,
    ...(clock && { clock }),
    entry: pathToFileURL(entry),
    programArguments: ['--data-dir=/of/this/server'],
    environment: { NOTES: join(folder, 'notes') },
    report: (problem) => problems.push(problem),
  });
  return { end, problems };
}

const notes = () => (existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8') : '');
const noting = `import { appendFileSync } from 'node:fs';
appendFileSync(process.env.NOTES, [...process.argv.slice(2), process.env.MURMURATION_DATA_DIR].join(' ') + '\\n');`;

test('a snapshot is due once enough was written to the logs, and the next one after as much again', async () => {
  const standby = { bytesRead: 1_999_999 };
  const { end, problems } = keep(noting, standby);
  vi.advanceTimersByTime(lookMilliseconds);
  standby.bytesRead = 2_000_000;
  vi.advanceTimersByTime(lookMilliseconds);
  const once = 'cluster snapshot /of/this/server\n';
  await until(() => notes() === once);
  standby.bytesRead = 3_000_000;
  vi.advanceTimersByTime(lookMilliseconds);
  standby.bytesRead = 4_000_000;
  await until(() => {
    vi.advanceTimersByTime(lookMilliseconds);
    return notes() === once + once;
  });
  end();
  expect(problems).toEqual([]);
});

test('one is due after some hours, too, if anything was written meanwhile', async () => {
  let now = 0;
  const standby = { bytesRead: 0 };
  const { end, problems } = keep(noting, standby, { monotonic: () => now });
  now = 7 * 3_600_000;
  vi.advanceTimersByTime(lookMilliseconds);
  expect(notes()).toBe('');
  standby.bytesRead = 1;
  vi.advanceTimersByTime(lookMilliseconds);
  const once = 'cluster snapshot /of/this/server\n';
  await until(() => notes() === once);
  standby.bytesRead = 2;
  now += 5 * 3_600_000;
  vi.advanceTimersByTime(lookMilliseconds);
  now += 3_600_000;
  await until(() => {
    vi.advanceTimersByTime(lookMilliseconds);
    return notes() === once + once;
  });
  end();
  expect(problems).toEqual([]);
});

test('what hinders a snapshot is reported, and not what is ended with the node', async () => {
  const failing = keep(`console.error('The place is full.'); process.exit(1);`, { bytesRead: 2_000_000 });
  vi.advanceTimersByTime(lookMilliseconds);
  await until(() => failing.problems.length > 0);
  failing.end();
  expect(failing.problems).toEqual([{ level: 'error', message: 'a snapshot could not be made: The place is full.' }]);
  const endless = keep(`${noting}; setInterval(() => {}, 1000);`, { bytesRead: 2_000_000 });
  vi.advanceTimersByTime(lookMilliseconds);
  await until(() => notes() !== '');
  endless.end();
  expect(endless.problems).toEqual([]);
});
