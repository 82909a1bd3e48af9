/**
 * The entries of the index, in FTS5 tables that hold a bounded number of them. FTS5 cannot be interrupted: whatever a
 * query asks for, one table answers in a bounded time, and between two tables others have their turn. A table that is
 * full is merged into one tree, where a word is looked up once.
 */
import type { Id } from '../../runtime/ids.ts';
import type { Connection } from './connection.ts';
import type { Entry } from './entry.ts';
import { searchLimits } from './limits.ts';

export interface Shard {
  readonly number: number;
  entries: number;
  /** Ids of its entries, the lowest and the highest ever. */
  lowest: Id;
  highest: Id;
  /** It takes no more entries. */
  isFull: boolean;
  isMerged: boolean;
}

/** The position of an entry in the order of tables and ids. */
export interface EntryPosition {
  readonly shard: number;
  readonly status: Id;
}

export const shardsSchema = `
  CREATE TABLE shards (
    number INTEGER PRIMARY KEY, entries INTEGER NOT NULL, lowest INTEGER NOT NULL, highest INTEGER NOT NULL,
    full INTEGER NOT NULL, merged INTEGER NOT NULL
  );
`;

/**
 * A table has entries of one period of some 200 days: reading everything brings statuses of all times one after the other,
 * and tables of all times would each have to be asked for an entry, or for the newest.
 */
function periodOf(id: Id): bigint {
  return id >> 50n;
}

function tableOf({ number }: Pick<Shard, 'number'>): string {
  return `entries_${number}`;
}

export class Shards {
  private readonly connection: Connection;
  private readonly entriesMax: number;
  private known: Shard[] | undefined;
  private readonly changed = new Set<Shard>();
  /** The table whose merging has begun since the start. */
  private merging: Shard | undefined;

  constructor(connection: Connection, entriesMax: number) {
    this.connection = connection;
    this.entriesMax = entriesMax;
  }

  /** Throws the error of SQLite where a table is not there. */
  check(): void {
    for (const shard of this.shards) this.connection.row(`SELECT rowid FROM ${tableOf(shard)} LIMIT 1`);
  }

  /** What was done since the last `store` was rolled back. */
  forget(): void {
    this.changed.clear();
    this.merging = undefined;
    this.known = undefined;
  }

  /** Writes what is known of the tables: the last thing in each transaction. */
  store(): void {
    for (const { number, entries, lowest, highest, isFull, isMerged } of this.changed) {
      const put = 'INSERT OR REPLACE INTO shards VALUES (?, ?, ?, ?, ?, ?)';
      this.connection.run(put, number, entries, lowest, highest, Number(isFull), Number(isMerged));
    }
    this.changed.clear();
  }

  get count(): number {
    return this.shards.reduce((sum, { entries }) => sum + entries, 0);
  }

  /** In place of the one it has. */
  put(status: Id, { body, tags, facts }: Entry): void {
    const present = this.shardOf(status);
    const shard = present ?? this.openShard(status);
    const put = `INSERT OR REPLACE INTO ${tableOf(shard)} (rowid, body, tags, facts) VALUES (?, ?, ?, ?)`;
    this.connection.run(put, status, body, tags, facts);
    if (present !== undefined) return;
    shard.entries += 1;
    if (status < shard.lowest) shard.lowest = status;
    if (status > shard.highest) shard.highest = status;
    shard.isFull = shard.entries >= this.entriesMax;
    this.changed.add(shard);
  }

  remove(status: Id): void {
    const shard = this.shardOf(status);
    if (shard === undefined) return;
    this.connection.run(`DELETE FROM ${tableOf(shard)} WHERE rowid = ?`, status);
    shard.entries -= 1;
    this.changed.add(shard);
  }

  /** Those with ids between these, the one with the highest first. */
  between(minId: Id, maxId: Id): Shard[] {
    const some = this.shards.filter(({ lowest, highest }) => highest > minId && lowest < maxId);
    return some.sort((one, other) => (one.highest > other.highest ? -1 : 1));
  }

  /** Matching entries of a table with ids between these, newest first. With `member`: only those it is interested in. */
  find(shard: Shard, match: string, minId: Id, maxId: Id, limit: number, member?: Id): Id[] {
    const table = tableOf(shard);
    const among = `FROM ${table} WHERE ${table} MATCH ? AND rowid > ? AND rowid < ?`;
    const interested = `AND EXISTS (SELECT 1 FROM interests WHERE status = ${table}.rowid AND account = ?)`;
    const order = 'ORDER BY rowid DESC LIMIT ?';
    return member === undefined
      ? this.connection.ids(`SELECT rowid AS id ${among} ${order}`, match, minId, maxId, limit)
      : this.connection.ids(`SELECT rowid AS id ${among} ${interested} ${order}`, match, minId, maxId, member, limit);
  }

  /** Positions of entries, beginning after this one. */
  after({ shard: from, status: after }: EntryPosition, limit: number): EntryPosition[] {
    const found: EntryPosition[] = [];
    for (const shard of this.shards) {
      if (shard.number < from || found.length === limit) continue;
      const some = `SELECT rowid AS id FROM ${tableOf(shard)} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
      const ids = this.connection.ids(some, shard.number === from ? after : -1n, limit - found.length);
      found.push(...ids.map((status) => ({ shard: shard.number, status })));
    }
    return found;
  }

  get isToBeMerged(): boolean {
    return this.shards.some(({ isFull, isMerged }) => isFull && !isMerged);
  }

  /** Goes on with merging a full table, some pages at a time. */
  mergeOn(): void {
    const shard = this.shards.find(({ isFull, isMerged }) => isFull && !isMerged);
    if (shard === undefined) return;
    const table = tableOf(shard);
    // A negative number of pages begins to merge all of the table, a positive one goes on.
    const pages = this.merging === shard ? searchLimits.mergedPages : -searchLimits.mergedPages;
    const before = this.changesSoFar();
    this.connection.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages);
    this.merging = shard;
    // So says the documentation of FTS5: nothing was left to merge.
    if (this.changesSoFar() - before >= 2n) return;
    shard.isMerged = true;
    this.changed.add(shard);
  }

  private get shards(): Shard[] {
    this.known ??= this.connection.rows('SELECT * FROM shards ORDER BY number').map((row) => ({
      ...{ number: Number(row.number), entries: Number(row.entries) },
      ...{ lowest: row.lowest as Id, highest: row.highest as Id },
      ...{ isFull: row.full === 1n, isMerged: row.merged === 1n },
    }));
    return this.known;
  }

  private changesSoFar(): bigint {
    return this.connection.row('SELECT total_changes() AS changes')!.changes as bigint;
  }

  /** The one that has an entry of the status. */
  private shardOf(status: Id): Shard | undefined {
    return this.shards.find(
      (shard) =>
        status >= shard.lowest &&
        status <= shard.highest &&
        this.connection.row(`SELECT 1 FROM ${tableOf(shard)} WHERE rowid = ?`, status) !== undefined,
    );
  }

  private openShard(status: Id): Shard {
    const open = this.shards.find(({ isFull, lowest }) => !isFull && periodOf(lowest) === periodOf(status));
    if (open !== undefined) return open;
    const number = (this.shards.at(-1)?.number ?? 0) + 1;
    const shard: Shard = { number, entries: 0, lowest: status, highest: status, isFull: false, isMerged: false };
    const table = tableOf(shard);
    // `contentless_delete` forgets entries by their ids alone. Words are made in tokens.ts: the tokeniser leaves them.
    this.connection.execute(`
      CREATE VIRTUAL TABLE ${table} USING fts5 (
        body, tags, facts, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
      );
      INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 8);
    `);
    this.shards.push(shard);
    return shard;
  }
}
