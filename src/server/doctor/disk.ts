/** The disk of the data folder: room, how fast it fills, and how long a durable write takes. */
import { rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../runtime/storage/durable-files.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { keptTotals, totalsBefore } from '../storage/kept-report.ts';
import { daysLeft, growthOf, sizeText } from '../storage/report.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, reasonOf, skipped } from './findings.ts';

const trialBytes = 65_536;
const fullBytes = 200_000_000;
const fillingBytes = 2_000_000_000;
const fillingShare = 0.1;
const slowMilliseconds = 100;
/** A disk that lasts longer is no problem of today. */
const daysMin = 60;

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
  const shown = { free: sizeText(free), size: sizeText(size), folder };
  const filling = fillsSoon(folder, free);
  if (free >= fullBytes && filling.length > 0) return filling;
  const slow = milliseconds > slowMilliseconds ? [problem('diskSlow', { folder, milliseconds })] : [];
  if (free < fullBytes) return [problem('diskNearlyFull', shown), ...slow];
  if (free < fillingBytes || free < size * fillingShare) return [problem('diskGettingFull', shown), ...slow];
  return slow.length > 0
    ? slow
    : [good(`${shown.free} of ${shown.size} are free, and a durable write takes ${milliseconds} ms.`)];
}

/** By the reports of `murmuration storage`, where there were some. */
function fillsSoon(folder: string, freeBytes: number): Finding[] {
  const kept = keptTotals(folder);
  const [newest] = kept.slice(-1);
  const growth = newest && growthOf(newest, totalsBefore(kept, newest.at));
  const days = growth && daysLeft(growth, freeBytes);
  if (growth === undefined || days === undefined || days > daysMin) return [];
  return [problem('diskFillsSoon', { rate: sizeText(growth.bytesPerDay), days })];
}
