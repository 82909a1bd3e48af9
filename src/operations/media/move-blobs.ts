/**
 * Moves blobs from earlier stores to the current one, while the server runs (decision 56).
 *
 * 1. A blob leaves its store after the current one has returned the same bytes: their digest is its name.
 * 2. What is left in the earlier stores is what remains to be done, so nothing is written about the progress. Whoever
 *    is killed over it goes on where it was.
 * 3. A blob that is removed meanwhile leaves nothing: whoever finds that it was announces it again, and its actor
 *    removes it everywhere a day later.
 * 4. At most `blobsAtOnce` blobs are copied at a time, each through memory of one piece.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isBlobKept } from '../../actors/blob/blob.queries.ts';
import { blobNameOf, mediaTypeOf } from '../../services/blobs/blob-names.ts';
import { type BlobName, type BlobStore, parseBlobName, type StoredBlob } from '../../services/blobs/blob-store.ts';
import { bytesOf } from '../../services/blobs/byte-source.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import { announce, namingSecret } from './store-files.ts';

type MoveServices = Pick<Services, 'blobStores' | 'client' | 'snapshots' | 'now' | 'monotonic' | 'members'>;

export interface BlobCount {
  readonly files: number;
  readonly bytes: number;
}

export interface MoveProgress {
  readonly state: 'counting' | 'moving' | 'done';
  /** What was in the earlier stores when it began; while it counts, what was found so far. */
  readonly all: BlobCount;
  readonly moved: BlobCount;
  /** Names of blobs of which a store has other bytes than their names say: they stay where they are. */
  readonly damaged: readonly string[];
  /** Blobs to which nothing refers, and that stay too. */
  readonly unknown: number;
}

const blobsAtOnce = 4;
const pieceBytes = 4 * 1_048_576;
/** Whoever asks for progress asks again sooner; otherwise the move ends. */
const patienceMilliseconds = 10_000;

/** One for each thread: those who ask at the same time share it. */
export const blobMove = member((services: MoveServices) => new BlobMove(services));

class BlobMove {
  private readonly services: MoveServices;
  private running: Promise<void> | undefined;
  private wantedUntil = 0;
  private progress: MoveProgress = nothingYet;
  private failure: unknown;

  constructor(services: MoveServices) {
    this.services = services;
  }

  /**
   * Goes on for so long, or until it is done. It ends some seconds after the last call. Throws Failure storageUnavailable,
   * after which the next call begins again with what is left.
   */
  async advance(milliseconds: number): Promise<MoveProgress> {
    const { monotonic } = this.services;
    this.wantedUntil = monotonic() + milliseconds + patienceMilliseconds;
    this.running ??= this.begin();
    const waiting = new AbortController();
    const pause = setTimeout(milliseconds, undefined, { signal: waiting.signal }).catch(ignoreAbort);
    await Promise.race([this.running, pause]);
    waiting.abort();
    const failure = this.failure;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return this.progress;
  }

  /** Never rejects: the next call throws. */
  private async begin(): Promise<void> {
    this.progress = nothingYet;
    try {
      await this.run();
    } catch (error) {
      this.failure = error;
    } finally {
      this.running = undefined;
    }
  }

  private async run(): Promise<void> {
    const { current, earlier } = this.services.blobStores;
    for (const store of earlier) for await (const { bytes } of this.wanted(store)) this.count('all', bytes);
    this.progress = { ...this.progress, state: 'moving' };
    for (const store of earlier) {
      const found = this.wanted(store);
      const workers = Array.from({ length: blobsAtOnce }, () => this.moveNext(found, store, current));
      const settled = await Promise.allSettled(workers);
      for (const one of settled) if (one.status === 'rejected') throw one.reason;
    }
    if (this.isWanted()) this.progress = { ...this.progress, state: 'done' };
  }

  /** Moves one after the other of a listing that others take from too. A failure ends it for all. */
  private async moveNext(found: AsyncGenerator<StoredBlob>, from: BlobStore, to: BlobStore): Promise<void> {
    try {
      for (let next = await found.next(); next.done !== true; next = await found.next())
        await this.move(next.value, from, to);
    } catch (error) {
      this.wantedUntil = 0;
      throw error;
    }
  }

  private async *wanted(store: BlobStore): AsyncGenerator<StoredBlob> {
    for await (const blob of store.list()) {
      if (!this.isWanted()) return;
      yield blob;
    }
  }

  private isWanted(): boolean {
    return this.services.monotonic() < this.wantedUntil;
  }

  private async move({ name: text, bytes }: StoredBlob, from: BlobStore, to: BlobStore): Promise<void> {
    const name = parseBlobName(text);
    if (name === undefined) return;
    if (!isBlobKept(this.services.snapshots, name)) {
      this.progress = { ...this.progress, unknown: this.progress.unknown + 1 };
      return;
    }
    const state = await this.copy(name, from, to);
    if (state === 'damaged') this.progress = { ...this.progress, damaged: [...this.progress.damaged, name] };
    if (state !== 'copied') return;
    if (!isBlobKept(this.services.snapshots, name)) await announce(this.services, name, bytes);
    await from.delete(name);
    this.count('moved', bytes);
  }

  private async copy(name: BlobName, from: BlobStore, to: BlobStore): Promise<'copied' | 'damaged' | 'gone'> {
    const file = join(this.services.blobStores.folderBetween, randomUUID());
    const mediaType = mediaTypeOf(name);
    const secret = await namingSecret(this.services);
    try {
      if (!(await download(name, from, file))) return 'gone';
      if ((await blobNameOf(createReadStream(file), mediaType, secret)) !== name) return 'damaged';
      await to.put(name, file, mediaType);
      return (await returns(name, to, secret)) ? 'copied' : 'damaged';
    } finally {
      await rm(file, { force: true });
    }
  }

  private count(what: 'all' | 'moved', bytes: number): void {
    const before = this.progress[what];
    this.progress = { ...this.progress, [what]: { files: before.files + 1, bytes: before.bytes + bytes } };
  }
}

const none: BlobCount = { files: 0, bytes: 0 };
const nothingYet: MoveProgress = { state: 'counting', all: none, moved: none, damaged: [], unknown: 0 };

/** False where it is not there any more. */
async function download(name: BlobName, store: BlobStore, file: string): Promise<boolean> {
  const source = await store.open(name);
  if (source === undefined) return false;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, 'wx', 0o600);
    try {
      for await (const piece of bytesOf(source, pieceBytes)) await handle.write(piece);
    } finally {
      await handle.close();
    }
    return true;
  } finally {
    source.close();
  }
}

/** Whether a store has these bytes whole. */
async function returns(name: BlobName, store: BlobStore, secret: string): Promise<boolean> {
  const source = await store.open(name);
  if (source === undefined) return false;
  try {
    return (await blobNameOf(bytesOf(source, pieceBytes), mediaTypeOf(name), secret)) === name;
  } finally {
    source.close();
  }
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}
