/**
 * Seeded databases, built once and kept outside the history under a hash of what decides their content: the parameters,
 * the seeding, the actors and the machine. A run works on a copy.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pack, unpack } from '../../src/runtime/codec.ts';

const projectFolder = resolve(import.meta.dirname, '../..');
const cacheFolder = join(projectFolder, 'bench/.cache');
const decidingFolders = ['bench/seed', 'src/actors', 'src/runtime'];

/** A database as a scenario asks for it. */
export interface Seed<Facts> {
  readonly name: string;
  /** Plain values; another one is another database. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Fills the empty data folder; what it answers is kept beside it (plain values, arrays and bigints). */
  build(dataDirectory: string): Promise<Facts>;
}

export interface SeededData<Facts> {
  readonly dataDirectory: string;
  readonly facts: Facts;
  remove(): void;
}

export interface Seeds {
  /** A copy of the database, the caller's own; built first where it is missing. */
  open<Facts>(seed: Seed<Facts>): Promise<SeededData<Facts>>;
}

/** Keeps what it builds in bench/.cache. `report` hears of builds, which take a while. */
export function cachedSeeds(report: (sentence: string) => void): Seeds {
  return {
    async open<Facts>(seed: Seed<Facts>) {
      const folder = join(cacheFolder, `${seed.name}-${hashOf(seed)}`);
      if (!existsSync(folder)) await buildInto(folder, seed, report);
      const copy = mkdtempSync(join(cacheFolder, 'run-'));
      cpSync(folder, copy, { recursive: true });
      flushFiles(copy);
      return openBuilt<Facts>(copy);
    },
  };
}

/** The first commit of a run would wait for all that was copied, which no server's first commit has to. */
function flushFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/** Builds every time, in the folder of the system for temporary files: for databases that are small. */
export function temporarySeeds(): Seeds {
  return {
    async open<Facts>(seed: Seed<Facts>) {
      const folder = mkdtempSync(join(tmpdir(), 'murmuration-bench-'));
      await build(folder, seed);
      return openBuilt<Facts>(folder);
    },
  };
}

async function buildInto(folder: string, seed: Seed<unknown>, report: (sentence: string) => void): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  for (const earlier of readdirSync(cacheFolder)) {
    if (earlier.startsWith(`${seed.name}-`)) rmSync(join(cacheFolder, earlier), { recursive: true });
  }
  report(`seeding ${seed.name} ${JSON.stringify(seed.parameters)}`);
  const begunAt = performance.now();
  const part = mkdtempSync(join(cacheFolder, 'part-'));
  await build(part, seed);
  renameSync(part, folder);
  report(`seeded in ${((performance.now() - begunAt) / 1000).toFixed(1)} s`);
}

async function build(folder: string, seed: Seed<unknown>): Promise<void> {
  const facts = await seed.build(join(folder, 'data'));
  writeFileSync(join(folder, 'facts'), pack(facts));
}

function openBuilt<Facts>(folder: string): SeededData<Facts> {
  return {
    dataDirectory: join(folder, 'data'),
    facts: unpack(readFileSync(join(folder, 'facts'))) as Facts,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function hashOf(seed: Seed<unknown>): string {
  const hash = createHash('sha256').update(JSON.stringify(seed.parameters));
  for (const folder of decidingFolders) {
    const names = readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names) {
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(projectFolder, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}
