/** The disk of the data folder: room, how fast it fills, and how long a durable write takes. */
import { rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../runtime/storage/durable-files.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, reasonOf, skipped } from './findings.ts';

const trialBytes = 65_536;
const fullBytes = 200_000_000;
const fillingBytes = 2_000_000_000;
const fillingShare = 0.1;
const slowMilliseconds = 100;

export function checkDisk({ folder }: Examined): Finding[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    return [skipped(`The data folder ${folder} does not exist yet.`)];
  const trial = join(folder, 'doctor.new');
  const begun = systemClock.monotonic();
  try {
    writeDurably(trial, Buffer.alloc(trialBytes, 1));
  } catch (error) {
    return [problem('diskFull', { folder, reason: reasonOf(error) })];
  } finally {
    rmSync(trial, { force: true });
  }
  const milliseconds = Math.round(systemClock.monotonic() - begun);
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const shown = { free: gigabytes(free), size: gigabytes(size), folder };
  const slow = milliseconds > slowMilliseconds ? [problem('diskSlow', { folder, milliseconds })] : [];
  if (free < fullBytes) return [problem('diskNearlyFull', shown), ...slow];
  if (free < fillingBytes || free < size * fillingShare) return [problem('diskGettingFull', shown), ...slow];
  return slow.length > 0
    ? slow
    : [good(`${shown.free} of ${shown.size} are free, and a durable write takes ${milliseconds} ms.`)];
}

function gigabytes(bytes: number): string {
  return bytes < 1_000_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
