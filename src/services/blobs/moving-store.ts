/**
 * Blobs of which some are still in an earlier store. Only the current store is written; `murmuration media move` empties the
 * others (decision 56).
 *
 * A blob is in the current store before it leaves an earlier one. So whatever is in neither when they are asked in this order
 * has left just then, and is found when the current one is asked again.
 */
import type { BlobName, BlobStore, BlobStores, StoredBlob } from './blob-store.ts';
import type { ByteSource } from './byte-source.ts';

export class MovingStore implements BlobStore {
  private readonly current: BlobStore;
  private readonly earlier: readonly BlobStore[];

  constructor({ current, earlier }: Pick<BlobStores, 'current' | 'earlier'>) {
    this.current = current;
    this.earlier = earlier;
  }

  put(name: BlobName, file: string, mediaType: string): Promise<void> {
    return this.current.put(name, file, mediaType);
  }

  async open(name: BlobName): Promise<ByteSource | undefined> {
    const found = await this.current.open(name);
    if (found !== undefined) return found;
    for (const store of this.earlier) {
      const source = await store.open(name);
      if (source !== undefined) return new FollowingSource(source, () => this.current.open(name));
    }
    return this.current.open(name);
  }

  async has(name: BlobName): Promise<boolean> {
    for (const store of [this.current, ...this.earlier, this.current]) if (await store.has(name)) return true;
    return false;
  }

  async addressOf(name: BlobName): Promise<string | undefined> {
    for (const store of this.earlier) if (await store.has(name)) return undefined;
    return this.current.addressOf(name);
  }

  get readersOrigin(): string | undefined {
    return this.current.readersOrigin;
  }

  async delete(name: BlobName): Promise<void> {
    for (const store of [...this.earlier, this.current]) await store.delete(name);
  }

  /** One that is being moved may come twice. */
  async *list(): AsyncIterable<StoredBlob> {
    for (const store of [this.current, ...this.earlier]) yield* store.list();
  }
}

/** Bytes of an earlier store, and of the current one once they have moved there. */
class FollowingSource implements ByteSource {
  readonly byteLength: number;
  private source: ByteSource;
  private reopen: (() => Promise<ByteSource | undefined>) | undefined;

  constructor(source: ByteSource, reopen: () => Promise<ByteSource | undefined>) {
    this.source = source;
    this.reopen = reopen;
    this.byteLength = source.byteLength;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    try {
      return await this.source.read(into, offset);
    } catch (error) {
      const moved = await this.reopen?.();
      if (moved === undefined) throw error;
      this.reopen = undefined;
      this.source.close();
      this.source = moved;
      return moved.read(into, offset);
    }
  }

  close(): void {
    this.source.close();
  }
}
