/**
 * The state of a partition at one moment, for readers that take longer than a round of the event loop, such as a backup.
 * Any process may hold one beside the server.
 *
 * While it is held, the file keeps every page of that moment: what commits replace meanwhile makes the file grow, and is
 * used again afterwards. A process that was killed holds it until a commit notices that, ten minutes later at most (lmdb-js).
 */
import type { RootDatabase, Transaction } from 'lmdb';
import { type LmdbOptions, openDatabase, rangeQueryOf } from './lmdb-log.ts';
import { metaPages } from './lmdb-pages.ts';
import { type RangeOptions, type StorageEntry, StorageFailure, type StorageReader } from './log.ts';

export interface FilePages {
  readonly pageBytes: number;
  readonly pages: number;
  /** The others are free for what is written next. */
  readonly usedPages: number;
}

export interface HeldSnapshot {
  /** `refresh` lets go of the moment and holds the newest state. */
  readonly reader: StorageReader;
  /** Holds nothing until the next `refresh`, which must come before the next read. */
  release(): void;
  close(): Promise<void>;
}

export interface HeldFile extends HeldSnapshot {
  /** Of the file now. */
  pages(): FilePages;
  /** Writes a file of the state now into an empty folder, without pages that are free. Nobody may write meanwhile. */
  copyCompacted(folder: string): Promise<void>;
}

class HeldReader implements StorageReader {
  failures = 0;
  private readonly database: RootDatabase<Uint8Array, Uint8Array>;
  private transaction: Transaction | undefined;

  constructor(database: RootDatabase<Uint8Array, Uint8Array>) {
    this.database = database;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.readable((transaction) => this.database.get(key as never, { transaction }));
  }

  *range(options: RangeOptions): Generator<StorageEntry> {
    const query = rangeQueryOf(options);
    const entries = this.readable((transaction) =>
      this.database.getRange({ ...query, transaction } as never)[Symbol.iterator](),
    );
    try {
      for (;;) {
        const next = this.readable(() => entries.next());
        if (next.done === true) return;
        yield next.value as StorageEntry;
      }
    } finally {
      entries.return?.();
    }
  }

  refresh(): void {
    this.release();
    try {
      this.database.resetReadTxn();
      this.transaction = this.database.useReadTransaction();
    } catch (error) {
      throw this.failed(error);
    }
  }

  release(): void {
    this.transaction?.done();
    this.transaction = undefined;
  }

  private readable<T>(read: (transaction: Transaction) => T): T {
    if (this.transaction === undefined) throw new Error('no moment is held');
    try {
      return read(this.transaction);
    } catch (error) {
      throw this.failed(error);
    }
  }

  private failed(error: unknown): StorageFailure {
    this.failures += 1;
    return new StorageFailure(error);
  }
}

/** It holds nothing yet. */
export function openHeldSnapshot(options: LmdbOptions): HeldFile {
  const database = openDatabase(options);
  const reader = new HeldReader(database);
  return {
    reader,
    release: () => reader.release(),
    pages: () => pagesOf(database),
    copyCompacted: (folder) => database.backup(folder, true),
    close: async () => {
      reader.release();
      await database.close();
    },
  };
}

interface TreePages {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** As the library tells it, whose types leave it out. */
interface FileStatistics extends TreePages {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  /** The tree of free pages. */
  readonly free: TreePages;
}

function pagesOf(database: RootDatabase<Uint8Array, Uint8Array>): FilePages {
  const statistics = database.getStats() as FileStatistics;
  const count = (tree: TreePages) => tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages;
  return {
    pageBytes: statistics.pageSize,
    pages: statistics.lastPageNumber + 1,
    usedPages: Number(metaPages) + count(statistics) + count(statistics.free),
  };
}
