/**
 * The file of the index: entries of statuses in an FTS5 table without their texts, who is interested in them, and how far
 * each partition was read. It is derived: where it is lost, damaged or of another folder, it is made anew.
 *
 * INVARIANT what was read of a partition is stored in the same transaction as the entries that follow from it.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Id } from '../../runtime/ids.ts';
import type { Entry } from './entry.ts';
import { searchLimits } from './limits.ts';
import { isDamage, isForeign, loadSqlite } from './sqlite.ts';

/** Of the tables and tokens; another one is made anew. */
const format = '1';
const memory = ':memory:';

/**
 * `contentless_delete` forgets entries by their ids alone. The tokens are made here (tokens.ts): the tokeniser only has to
 * leave them as they are.
 */
const schema = `
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE partitions (partition INTEGER PRIMARY KEY, "commit" INTEGER NOT NULL, scan TEXT NOT NULL);
  CREATE TABLE interests (status INTEGER, account INTEGER, PRIMARY KEY (status, account)) WITHOUT ROWID;
  CREATE TABLE indexable (account INTEGER PRIMARY KEY);
  CREATE TABLE authors (account INTEGER PRIMARY KEY, after INTEGER NOT NULL);
  CREATE VIRTUAL TABLE entries USING fts5 (
    body, tags, facts, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  );
  INSERT INTO entries (entries, rank) VALUES ('automerge', 8);
`;

export interface IndexFileOptions {
  readonly path: string;
  /** The identity of the data folder and its partitions. */
  readonly folder: string;
}

export class IndexFile {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.database = database;
  }

  /** Throws the error of SQLite where the disk does not allow it. */
  static open({ path, folder }: IndexFileOptions): IndexFile {
    const present = IndexFile.openPresent(path);
    if (present !== undefined) {
      if (present.isOf(folder)) return present;
      present.close();
    }
    IndexFile.remove(path);
    const file = new IndexFile(path, connect(path));
    file.transact(() => {
      file.database.exec(schema);
      for (const [name, value] of Object.entries({ format, folder }))
        file.run('INSERT INTO about VALUES (?, ?)', name, value);
    });
    return file;
  }

  /** Undefined for a file that is no index, or damaged where that shows at once. */
  private static openPresent(path: string): IndexFile | undefined {
    try {
      return new IndexFile(path, connect(path));
    } catch (error) {
      if (isDamage(error)) return undefined;
      throw error;
    }
  }

  static remove(path: string): void {
    if (path === memory) return;
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  }

  close(): void {
    this.database.close();
  }

  /** All of `write`, or nothing. */
  transact<Result>(write: () => Result): Result {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const result = write();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Undefined: none. */
  putEntry(status: Id, entry: Entry | undefined): void {
    if (entry === undefined) this.run('DELETE FROM entries WHERE rowid = ?', status);
    else {
      const { body, tags, facts } = entry;
      const put = 'INSERT OR REPLACE INTO entries (rowid, body, tags, facts) VALUES (?, ?, ?, ?)';
      this.run(put, status, body, tags, facts);
    }
  }

  hasEntry(status: Id): boolean {
    return this.row('SELECT 1 FROM entries WHERE rowid = ?', status) !== undefined;
  }

  /** The ids of entries in their order, beginning after `status`. */
  entriesAfter(status: Id, limit: number): Id[] {
    return this.ids('SELECT rowid AS id FROM entries WHERE rowid > ? ORDER BY rowid LIMIT ?', status, limit);
  }

  countEntries(): number {
    return Number(this.row('SELECT count(*) AS count FROM entries_docsize')!.count);
  }

  /** Matching entries with ids between these, newest first. With `member`: only those that it is interested in. */
  find(match: string, minId: Id, maxId: Id, limit: number, member?: Id): Id[] {
    const among = 'FROM entries WHERE entries MATCH ? AND rowid > ? AND rowid < ?';
    const interested = 'AND EXISTS (SELECT 1 FROM interests WHERE status = entries.rowid AND account = ?)';
    const order = 'ORDER BY rowid DESC LIMIT ?';
    return member === undefined
      ? this.ids(`SELECT rowid AS id ${among} ${order}`, match, minId, maxId, limit)
      : this.ids(`SELECT rowid AS id ${among} ${interested} ${order}`, match, minId, maxId, member, limit);
  }

  /** Whether that changed anything. */
  setInterest(status: Id, account: Id, isInterested: boolean): boolean {
    const change = isInterested
      ? 'INSERT OR IGNORE INTO interests VALUES (?, ?)'
      : 'DELETE FROM interests WHERE status = ? AND account = ?';
    return this.run(change, status, account) > 0;
  }

  interestedIn(status: Id): Id[] {
    return this.ids('SELECT account AS id FROM interests WHERE status = ?', status);
  }

  /** In the order of statuses, beginning after this pair. */
  interestsAfter(status: Id, account: Id, limit: number): { readonly status: Id; readonly account: Id }[] {
    const after = 'SELECT status, account FROM interests WHERE (status, account) > (?, ?)';
    const rows = this.statement(`${after} ORDER BY status, account LIMIT ?`).all(status, account, limit);
    return rows.map((row) => ({ status: row.status as bigint, account: row.account as bigint }));
  }

  forgetInterests(status: Id): void {
    this.run('DELETE FROM interests WHERE status = ?', status);
  }

  /** Notes that the account wants to be found, or does not. Returns whether that is new. */
  setIndexable(account: Id, isIndexable: boolean): boolean {
    const change = isIndexable
      ? 'INSERT OR IGNORE INTO indexable VALUES (?)'
      : 'DELETE FROM indexable WHERE account = ?';
    return this.run(change, account) > 0;
  }

  /** All statuses of the author have to be read again, from the one after `after` on; undefined: they were. */
  setAuthorToRead(account: Id, after: Id | undefined): void {
    if (after === undefined) this.run('DELETE FROM authors WHERE account = ?', account);
    else this.run('INSERT OR REPLACE INTO authors VALUES (?, ?)', account, after);
  }

  authorToRead(): { readonly account: Id; readonly after: Id } | undefined {
    const row = this.row('SELECT account, after FROM authors LIMIT 1');
    return row && { account: row.account as bigint, after: row.after as bigint };
  }

  /** How far a partition was read; `scan` is empty unless it is being read as a whole. */
  partition(partition: number): { readonly commit: number; readonly scan: string } | undefined {
    const row = this.row('SELECT "commit", scan FROM partitions WHERE partition = ?', partition);
    return row && { commit: Number(row.commit), scan: String(row.scan) };
  }

  setPartition(partition: number, commit: number, scan: string): void {
    this.run('INSERT OR REPLACE INTO partitions VALUES (?, ?, ?)', partition, commit, scan);
  }

  /** On disk, with what is not yet merged into the file. */
  bytes(): number {
    if (this.path === memory) return 0;
    return ['', '-wal'].reduce((sum, suffix) => sum + (statSync(this.path + suffix, optional)?.size ?? 0), 0);
  }

  private isOf(folder: string): boolean {
    try {
      const told = (name: string) => this.row('SELECT value FROM about WHERE name = ?', name)?.value;
      for (const table of ['partitions', 'interests', 'indexable', 'authors', 'entries'])
        this.row(`SELECT * FROM ${table} LIMIT 1`);
      return told('format') === format && told('folder') === folder;
    } catch (error) {
      if (isDamage(error) || isForeign(error)) return false;
      throw error;
    }
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      statement.setReadBigInts(true);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  private row(sql: string, ...values: SQLInputValue[]) {
    return this.statement(sql).get(...values);
  }

  private ids(sql: string, ...values: SQLInputValue[]): Id[] {
    return this.statement(sql)
      .all(...values)
      .map(({ id }) => id as bigint);
  }
}

const optional = { throwIfNoEntry: false } as const;

/** After a crash of the machine the last transactions may be missing, as wholes: they are made again. */
function connect(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  if (path !== memory) mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    database.exec(
      `PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA temp_store = memory; PRAGMA cache_size = -${searchLimits.pageCacheBytes / 1024};`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
