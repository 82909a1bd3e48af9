/**
 * The file of the index: entries of statuses without their texts (shards.ts), who is interested in them, and how far each
 * partition was read. It is derived: where it is lost, damaged or of another folder, it is made anew.
 *
 * INVARIANT what was read of a partition is stored in the same transaction as the entries that follow from it.
 */
import { rmSync } from 'node:fs';
import type { Id } from '../../runtime/ids.ts';
import { Connection, memory } from './connection.ts';
import type { Entry } from './entry.ts';
import { searchLimits } from './limits.ts';
import { type EntryPosition, type Shard, Shards, shardsSchema } from './shards.ts';
import { isDamage, isForeign } from './sqlite.ts';

/** Of the tables and tokens; another one is made anew. */
const format = '2';

const schema = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE partitions (partition INTEGER PRIMARY KEY, "commit" INTEGER NOT NULL, scan TEXT NOT NULL);
  CREATE TABLE interests (status INTEGER, account INTEGER, PRIMARY KEY (status, account)) WITHOUT ROWID;
  CREATE TABLE indexable (account INTEGER PRIMARY KEY);
  CREATE TABLE authors (account INTEGER PRIMARY KEY, after INTEGER NOT NULL);
${shardsSchema}`;

export interface IndexFileOptions {
  readonly path: string;
  /** The identity of the data folder and its partitions. */
  readonly folder: string;
  /** Entries of one table; tests have smaller ones. */
  readonly shardEntriesMax?: number | undefined;
}

export class IndexFile {
  private readonly connection: Connection;
  private readonly shards: Shards;

  private constructor(connection: Connection, shardEntriesMax: number = searchLimits.shardEntriesMax) {
    this.connection = connection;
    this.shards = new Shards(connection, shardEntriesMax);
  }

  /** Throws the error of SQLite where the disk does not allow it. */
  static open(options: IndexFileOptions): IndexFile {
    const { path, folder, shardEntriesMax } = options;
    const present = IndexFile.openPresent(options);
    if (present !== undefined) return present;
    IndexFile.remove(path);
    return IndexFile.connected(path, (connection) => {
      connection.transact(() => {
        connection.execute(schema);
        for (const [name, value] of Object.entries({ format, folder }))
          connection.run('INSERT INTO about VALUES (?, ?)', name, value);
      });
      return new IndexFile(connection, shardEntriesMax);
    });
  }

  /** Undefined for the file of another folder, or one that is no index, or damaged where that shows at once. */
  private static openPresent({ path, folder, shardEntriesMax }: IndexFileOptions): IndexFile | undefined {
    try {
      return IndexFile.connected(path, (connection) => {
        const file = new IndexFile(connection, shardEntriesMax);
        return file.isOf(folder) ? file : undefined;
      });
    } catch (error) {
      if (isDamage(error)) return undefined;
      throw error;
    }
  }

  /** The connection is closed again where `use` has no result. */
  private static connected<Result>(path: string, use: (connection: Connection) => Result): Result {
    const connection = new Connection(path);
    let result: Result | undefined;
    try {
      result = use(connection);
      return result;
    } finally {
      if (result === undefined) connection.close();
    }
  }

  static remove(path: string): void {
    if (path === memory) return;
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  }

  close(): void {
    this.connection.close();
  }

  /** All of `write`, or nothing. */
  transact<Result>(write: () => Result): Result {
    try {
      return this.connection.transact(() => {
        const result = write();
        this.shards.store();
        return result;
      });
    } catch (error) {
      this.shards.forget();
      throw error;
    }
  }

  /** Undefined: none. Within `transact`. */
  putEntry(status: Id, entry: Entry | undefined): void {
    if (entry === undefined) this.shards.remove(status);
    else this.shards.put(status, entry);
  }

  countEntries(): number {
    return this.shards.count;
  }

  /** The positions of entries in their order, beginning after this one. */
  entriesAfter(position: EntryPosition, limit: number): EntryPosition[] {
    return this.shards.after(position, limit);
  }

  /** The parts of the index that have ids between these, the one with the newest first. */
  shardsBetween(minId: Id, maxId: Id): Shard[] {
    return this.shards.between(minId, maxId);
  }

  /** Matching entries of a part with ids between these, newest first. With `member`: only those it is interested in. */
  find(shard: Shard, match: string, minId: Id, maxId: Id, limit: number, member?: Id): Id[] {
    return this.shards.find(shard, match, minId, maxId, limit, member);
  }

  /** Makes it quicker to read, a little at a time; false where nothing is left to do. */
  mergeOn(): boolean {
    if (!this.shards.isToBeMerged) return false;
    this.transact(() => this.shards.mergeOn());
    return true;
  }

  /** Whether that changed anything. */
  setInterest(status: Id, account: Id, isInterested: boolean): boolean {
    const change = isInterested
      ? 'INSERT OR IGNORE INTO interests VALUES (?, ?)'
      : 'DELETE FROM interests WHERE status = ? AND account = ?';
    return this.connection.run(change, status, account) > 0;
  }

  interestedIn(status: Id): Id[] {
    return this.connection.ids('SELECT account AS id FROM interests WHERE status = ?', status);
  }

  /** In the order of statuses, beginning after this pair. */
  interestsAfter(status: Id, account: Id, limit: number): { readonly status: Id; readonly account: Id }[] {
    const after = 'SELECT status, account FROM interests WHERE (status, account) > (?, ?)';
    const rows = this.connection.rows(`${after} ORDER BY status, account LIMIT ?`, status, account, limit);
    return rows.map((row) => ({ status: row.status as bigint, account: row.account as bigint }));
  }

  forgetInterests(status: Id): void {
    this.connection.run('DELETE FROM interests WHERE status = ?', status);
  }

  /** Notes that the account wants to be found, or does not. Returns whether that is new. */
  setIndexable(account: Id, isIndexable: boolean): boolean {
    const change = isIndexable
      ? 'INSERT OR IGNORE INTO indexable VALUES (?)'
      : 'DELETE FROM indexable WHERE account = ?';
    return this.connection.run(change, account) > 0;
  }

  /** All statuses of the author have to be read again, from the one after `after` on; undefined: they were. */
  setAuthorToRead(account: Id, after: Id | undefined): void {
    if (after === undefined) this.connection.run('DELETE FROM authors WHERE account = ?', account);
    else this.connection.run('INSERT OR REPLACE INTO authors VALUES (?, ?)', account, after);
  }

  authorToRead(): { readonly account: Id; readonly after: Id } | undefined {
    const row = this.connection.row('SELECT account, after FROM authors LIMIT 1');
    return row && { account: row.account as bigint, after: row.after as bigint };
  }

  /** How far a partition was read; `scan` is empty unless it is being read as a whole. */
  partition(partition: number): { readonly commit: number; readonly scan: string } | undefined {
    const row = this.connection.row('SELECT "commit", scan FROM partitions WHERE partition = ?', partition);
    return row && { commit: Number(row.commit), scan: String(row.scan) };
  }

  setPartition(partition: number, commit: number, scan: string): void {
    this.connection.run('INSERT OR REPLACE INTO partitions VALUES (?, ?, ?)', partition, commit, scan);
  }

  /** On disk. */
  bytes(): number {
    return this.connection.bytes();
  }

  private isOf(folder: string): boolean {
    try {
      const told = (name: string) => this.connection.row('SELECT value FROM about WHERE name = ?', name)?.value;
      for (const table of ['partitions', 'interests', 'indexable', 'authors'])
        this.connection.row(`SELECT * FROM ${table} LIMIT 1`);
      this.shards.check();
      return told('format') === format && told('folder') === folder;
    } catch (error) {
      if (isDamage(error) || isForeign(error)) return false;
      throw error;
    }
  }
}
