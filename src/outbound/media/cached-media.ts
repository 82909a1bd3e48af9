/**
 * Copies of files of other servers, below a bound in bytes: what was viewed longest ago is removed first.
 *
 *   FOLDER/HOST/KEY.PART.ENDING      one file for each part of an entry; the ending is that of its media type
 *
 * 1. The folder is the index: sizes, and the times of change, which a view moves once an hour at most. A restart reads them
 *    anew, so that nothing else has to be written or kept in agreement.
 * 2. A file appears whole, by a rename, after its bytes are on disk: a loss of power leaves no half of a picture.
 * 3. Everything can be fetched again. So the folder is a cache by the convention of backups (CACHEDIR.TAG,
 *    https://bford.info/cachedir/), and it belongs to one machine.
 * 4. One thread has all files of a host: `owns` says of which hosts this one is.
 */
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { synced } from '../../services/blobs/synced.ts';
import { remoteMediaLimits } from './limits.ts';

export interface CachedFile {
  /** Such as `original`. */
  readonly part: string;
  readonly path: string;
  readonly bytes: number;
}

export interface CachedEntry {
  readonly host: string;
  readonly key: string;
  readonly files: readonly CachedFile[];
  readonly bytes: number;
  /** Milliseconds since 1970, as are all times here. */
  readonly viewedAt: number;
}

/** A file to keep: it is moved away from its place. */
export interface NewFile {
  readonly part: string;
  readonly file: string;
  readonly ending: string;
}

export interface CachedMediaOptions {
  readonly folder: string;
  readonly bytesMax: number;
  owns(host: string): boolean;
  now(): number;
  /** Of work that nobody waits for. */
  failed(error: unknown): void;
}

const tag =
  'Signature: 8a477f597d28d172789f06886806bc55\n# Files of other servers, kept by Murmuration: backups can leave them out.\n';
/** Nothing that leads out of the folder, whatever a URL's host may be. */
const hostPattern = /^[a-z0-9[][a-z0-9.:[\]_-]*$/;
const filePattern = /^([\w-]{43})\.([a-z]+)\.[a-z0-9]{2,4}$/;

type Entry = { -readonly [Name in keyof CachedEntry]: CachedEntry[Name] } & { notedAt: number };

export class CachedMedia {
  private readonly options: CachedMediaOptions;
  /** In the order of their views, the oldest first. */
  private readonly entries = new Map<string, Entry>();
  private loading: Promise<void> | undefined;
  private used = 0;

  constructor(options: CachedMediaOptions) {
    this.options = options;
  }

  get bytes(): number {
    return this.used;
  }

  /** Settles when the folder has been read, which is begun with the first call. */
  ready(): Promise<void> {
    this.loading ??= this.load();
    return this.loading;
  }

  /** Whether files of this host can be kept at all. */
  accepts(host: string): boolean {
    return host.length <= remoteMediaLimits.hostCharactersMax && hostPattern.test(host);
  }

  /** A view of it. */
  find(host: string, key: string): CachedEntry | undefined {
    const entry = this.entries.get(nameOf(host, key));
    if (entry === undefined) return undefined;
    this.viewed(entry);
    return entry;
  }

  /** Replaces the entry. Returns the bytes that were evicted for it. Rejects with the error of the operating system. */
  async put(
    host: string,
    key: string,
    added: readonly NewFile[],
  ): Promise<{ entry: CachedEntry; evictedBytes: number }> {
    await this.remove([...this.matching((entry) => entry.host === host && entry.key === key)]);
    const folder = this.folderOf(host);
    await this.makeFolder(folder);
    const files = await Promise.all(
      added.map(async ({ part, file, ending }) => {
        const path = join(folder, cachedName(key, part, ending));
        await synced(file);
        await rename(file, path);
        return { part, path, bytes: (await stat(path)).size };
      }),
    );
    const now = this.options.now();
    const entry = this.add(host, key, files, now);
    return { entry, evictedBytes: await this.evict(entry) };
  }

  /** Entries, in the order of their views. */
  *matching(isWanted: (entry: CachedEntry) => boolean): Iterable<CachedEntry> {
    for (const entry of this.entries.values()) if (isWanted(entry)) yield entry;
  }

  /** Returns the bytes that became free. */
  async remove(removed: readonly CachedEntry[]): Promise<number> {
    let bytes = 0;
    for (const entry of removed) {
      if (!this.entries.delete(nameOf(entry.host, entry.key))) continue;
      this.used -= entry.bytes;
      bytes += entry.bytes;
      await Promise.all(entry.files.map(({ path }) => rm(path, { force: true })));
    }
    return bytes;
  }

  private viewed(entry: Entry): void {
    const name = nameOf(entry.host, entry.key);
    const now = this.options.now();
    this.entries.delete(name);
    this.entries.set(name, entry);
    entry.viewedAt = now;
    if (now - entry.notedAt < remoteMediaLimits.viewNotedMilliseconds) return;
    entry.notedAt = now;
    const seconds = now / 1_000;
    for (const { path } of entry.files) utimes(path, seconds, seconds).catch((error) => this.notNoted(error));
  }

  /** The file may have been evicted meanwhile. Otherwise a restart goes by the older time. */
  private notNoted(error: NodeJS.ErrnoException): void {
    if (error.code !== 'ENOENT') this.options.failed(error);
  }

  private add(host: string, key: string, files: readonly CachedFile[], viewedAt: number): Entry {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const entry = { host, key, files, bytes, viewedAt, notedAt: viewedAt };
    this.entries.set(nameOf(host, key), entry);
    this.used += bytes;
    return entry;
  }

  private async evict(kept?: CachedEntry): Promise<number> {
    const { bytesMax } = this.options;
    const { entriesMax, entryBytesMin, filledAfterEviction: filled } = remoteMediaLimits;
    const countMax = Math.min(entriesMax, Math.floor(bytesMax / entryBytesMin));
    if (this.used <= bytesMax && this.entries.size <= countMax) return 0;
    const evicted: CachedEntry[] = [];
    let excessBytes = this.used - bytesMax * filled;
    let excessCount = this.entries.size - countMax;
    for (const entry of this.entries.values()) {
      if (excessBytes <= 0 && excessCount <= 0) break;
      if (entry === kept) continue;
      evicted.push(entry);
      excessBytes -= entry.bytes;
      excessCount -= 1;
    }
    return this.remove(evicted);
  }

  private async load(): Promise<void> {
    const found = new Map<string, { host: string; key: string; files: CachedFile[]; viewedAt: number }>();
    for (const host of await foldersIn(this.options.folder)) {
      if (!this.accepts(host) || !this.options.owns(host)) continue;
      for (const name of await readdir(this.folderOf(host))) {
        const [, key, part] = filePattern.exec(name) ?? [];
        if (key === undefined || part === undefined) continue;
        const path = join(this.folderOf(host), name);
        const { size, mtimeMs } = await stat(path);
        const entry = found.get(nameOf(host, key)) ?? { host, key, files: [], viewedAt: 0 };
        entry.files.push({ part, path, bytes: size });
        entry.viewedAt = Math.max(entry.viewedAt, mtimeMs);
        found.set(nameOf(host, key), entry);
      }
    }
    const byView = [...found.values()].sort((one, other) => one.viewedAt - other.viewedAt);
    for (const { host, key, files, viewedAt } of byView) this.add(host, key, files, viewedAt);
    await this.evict();
  }

  private folderOf(host: string): string {
    return join(this.options.folder, host);
  }

  private async makeFolder(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true });
    if (first !== undefined && first !== path) await writeFile(join(dirname(path), 'CACHEDIR.TAG'), tag);
  }
}

/** Of a file in the folder of its host. */
export function cachedName(key: string, part: string, ending: string): string {
  return `${key}.${part}.${ending}`;
}

function nameOf(host: string, key: string): string {
  return `${host}/${key}`;
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
