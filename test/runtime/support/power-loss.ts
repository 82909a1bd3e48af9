/** The disk of a process after a power loss: see power-loss.c, which is preloaded into the process. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../../sim/random.ts';

/** A disk writes a sector whole or not at all; pages of LMDB are larger. */
const sectorBytes = 512;

interface Entry {
  readonly isFolder: boolean;
  readonly inode: string;
}

/** What a process needs to be watched. `operations`: the power goes before this one; absent where it is killed otherwise. */
export function watched(library: string, folder: string, operations?: number): Record<string, string> {
  const environment = { LD_PRELOAD: library, DISK_FOLDER: folder };
  return operations === undefined ? environment : { ...environment, DISK_OPERATIONS: String(operations) };
}

/**
 * Leaves in the folder what a disk has when the power goes: all that was flushed, and of what was only written every
 * sector, and every name that was made, changed or removed, with this probability, in no order. Answers how many sectors
 * and names were lost.
 */
export function losePower(folder: string, random: SeededRandom, survival: number): number {
  const loss = new Loss(folder, random, survival);
  loss.rebuild(folder, `${folder}.after`, String(lstatSync(folder).ino));
  rmSync(folder, { recursive: true });
  rmSync(`${folder}.disk`, { recursive: true });
  renameSync(`${folder}.after`, folder);
  return loss.lost;
}

class Loss {
  lost = 0;
  private readonly folder: string;
  private readonly random: SeededRandom;
  private readonly survival: number;
  /** Where files and folders are now, by their inodes. */
  private readonly paths = new Map<string, string>();

  constructor(folder: string, random: SeededRandom, survival: number) {
    this.folder = folder;
    this.random = random;
    this.survival = survival;
    this.find(folder);
  }

  rebuild(path: string | undefined, target: string, inode: string): void {
    mkdirSync(target, { mode: 0o700 });
    const [flushed, now] = [this.flushedNames(inode), path === undefined ? new Map<string, Entry>() : entriesOf(path)];
    for (const name of new Set([...flushed.keys(), ...now.keys()])) {
      const entry = this.oneOf(flushed.get(name), now.get(name));
      if (entry === undefined) continue;
      const there = this.paths.get(entry.inode);
      if (entry.isFolder) this.rebuild(there, join(target, name), entry.inode);
      else writeFileSync(join(target, name), this.bytesOf(there, entry.inode), { mode: 0o600 });
    }
  }

  private oneOf(flushed: Entry | undefined, now: Entry | undefined): Entry | undefined {
    if (flushed?.inode === now?.inode || this.random.chance(this.survival)) return now;
    this.lost += 1;
    return flushed;
  }

  private bytesOf(path: string | undefined, inode: string): Buffer {
    const flushed = readIfThere(join(`${this.folder}.disk`, inode));
    const written = path === undefined ? flushed : readFileSync(path);
    const left = Buffer.alloc(Math.max(flushed.length, written.length));
    flushed.copy(left);
    let end = flushed.length;
    for (let offset = 0; offset < written.length; offset += sectorBytes) {
      const sector = written.subarray(offset, offset + sectorBytes);
      if (offset + sector.length <= end && sector.equals(left.subarray(offset, offset + sector.length))) continue;
      if (this.random.chance(this.survival)) {
        sector.copy(left, offset);
        end = Math.max(end, offset + sector.length);
      } else this.lost += 1;
    }
    return left.subarray(0, end);
  }

  private flushedNames(inode: string): Map<string, Entry> {
    const lines = readIfThere(join(`${this.folder}.disk`, `${inode}.names`))
      .toString()
      .split('\n')
      .filter(Boolean);
    return new Map(
      lines.map((line) => {
        const [kind, entryInode, ...name] = line.split(' ');
        return [name.join(' '), { isFolder: kind === 'd', inode: entryInode! }];
      }),
    );
  }

  private find(path: string): void {
    for (const [name, { isFolder, inode }] of entriesOf(path)) {
      this.paths.set(inode, join(path, name));
      if (isFolder) this.find(join(path, name));
    }
  }
}

function readIfThere(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** Sockets are nobody's once the process is gone. */
function entriesOf(path: string): Map<string, Entry> {
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile() || entry.isDirectory());
  return new Map(
    entries.map((entry) => [
      entry.name,
      { isFolder: entry.isDirectory(), inode: String(lstatSync(join(path, entry.name)).ino) },
    ]),
  );
}
