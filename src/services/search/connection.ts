/** A file of SQLite, opened for one writer: statements are prepared once, and what is written together is a transaction. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Id } from '../../runtime/ids.ts';
import { searchLimits } from './limits.ts';
import { loadSqlite } from './sqlite.ts';

export const memory = ':memory:';
const optional = { throwIfNoEntry: false } as const;

/** Every method throws the error of SQLite where the file or the disk does not allow it. */
export class Connection {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  /** After a crash of the machine the last transactions may be missing, as wholes. */
  constructor(path: string) {
    const { DatabaseSync } = loadSqlite();
    if (path !== memory) mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.database = new DatabaseSync(path);
    try {
      this.execute(
        `PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA temp_store = memory; PRAGMA cache_size = -${searchLimits.pageCacheBytes / 1024};`,
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }

  /** All of `write`, or nothing. */
  transact<Result>(write: () => Result): Result {
    this.execute('BEGIN IMMEDIATE');
    try {
      const result = write();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (this.database.isTransaction) this.execute('ROLLBACK');
      throw error;
    }
  }

  execute(sql: string): void {
    this.database.exec(sql);
  }

  /** Returns how many rows it has changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  row(sql: string, ...values: SQLInputValue[]) {
    return this.statement(sql).get(...values);
  }

  rows(sql: string, ...values: SQLInputValue[]) {
    return this.statement(sql).all(...values);
  }

  /** The column `id` of each row. */
  ids(sql: string, ...values: SQLInputValue[]): Id[] {
    return this.rows(sql, ...values).map(({ id }) => id as bigint);
  }

  /** On disk, with what is not yet merged into the file. */
  bytes(): number {
    if (this.path === memory) return 0;
    return ['', '-wal'].reduce((sum, suffix) => sum + (statSync(this.path + suffix, optional)?.size ?? 0), 0);
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
}
