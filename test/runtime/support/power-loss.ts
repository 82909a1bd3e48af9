/** The disk of a process that has lost its power: see power-loss.c, which was preloaded into it. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../../sim/random.ts';

/** A disk writes a sector whole or not at all; pages of LMDB are larger. */
const sectorBytes = 512;
const suffix = '.disk';

/**
 * Leaves in the folder what a disk has when the power goes: all that was flushed, and of what was only written every
 * sector with this probability, in no order. Answers how many sectors were lost. Throws when nothing was watched.
 */
export function losePower(folder: string, random: SeededRandom, survival: number): number {
  const disks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(suffix));
  if (disks.length === 0) throw new Error(`no database in ${folder} was watched`);
  return disks.reduce(
    (lost, name) => lost + losePowerOf(join(folder, name.slice(0, -suffix.length)), random, survival),
    0,
  );
}

function losePowerOf(path: string, random: SeededRandom, survival: number): number {
  const flushed = readFileSync(path + suffix);
  const written = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const left = Buffer.alloc(Math.max(flushed.length, written.length));
  flushed.copy(left);
  let [lost, end] = [0, flushed.length];
  for (let offset = 0; offset < written.length; offset += sectorBytes) {
    const sector = written.subarray(offset, offset + sectorBytes);
    if (sector.equals(left.subarray(offset, offset + sector.length))) continue;
    if (random.chance(survival)) {
      sector.copy(left, offset);
      end = Math.max(end, offset + sector.length);
    } else lost += 1;
  }
  writeFileSync(path, left.subarray(0, end));
  rmSync(path + suffix);
  return lost;
}
