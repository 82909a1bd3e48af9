/** The search over the partitions of a test, in memory or in a file. */
import { expect } from 'vitest';
import type { Problem } from '../../src/runtime/ports.ts';
import type { Connection } from '../../src/services/search/connection.ts';
import { IndexFile } from '../../src/services/search/index-file.ts';
import type { SearchQuery } from '../../src/services/search/search.ts';
import { SearchEngine } from '../../src/services/search/search-engine.ts';
import { phraseOf } from '../../src/services/search/tokens.ts';
import type { TestServer } from './actors.ts';
import type { Person } from './observer.ts';

export const idMax = 2n ** 63n - 1n;

export interface TestSearch {
  readonly engine: SearchEngine;
  /** Works until nothing is left to do. */
  catchUp(): void;
  /** From now on the disk has room for so many pages more: a full disk, as SQLite sees it. */
  leavePages(count: number): void;
}

export function searchOver(
  { read: snapshots, clock }: Pick<TestServer, 'read' | 'clock'>,
  {
    path = ':memory:',
    folder = 'test',
    report = fails,
    monotonic = clock.monotonic,
    shardEntriesMax,
  }: Partial<SearchSetup> = {},
): TestSearch {
  const engine = new SearchEngine({ now: clock.now, monotonic, snapshots, path, folder, report, shardEntriesMax });
  return {
    engine,
    catchUp() {
      while (engine.proceed() < 1_000);
    },
    leavePages(count) {
      const { connection } = (engine as unknown as Opened).index.file;
      const pages = Number(connection.row('PRAGMA page_count')!.page_count);
      connection.execute(`PRAGMA max_page_count = ${pages + count}`);
    },
  };
}

/** What an engine holds while its index is open. */
interface Opened {
  readonly index: { readonly file: { readonly connection: Connection } };
}

interface SearchSetup {
  readonly path: string;
  readonly folder: string;
  readonly shardEntriesMax: number;
  monotonic(): number;
  report(problem: Problem): void;
}

function fails({ message }: Problem): void {
  expect.fail(message);
}

/** A query for words, all of which are required. */
export function wordsOf(asker: Person, words: string, more: Partial<SearchQuery> = {}): SearchQuery {
  const required = words.split(' ').flatMap((word) => {
    const phrase = phraseOf(word);
    return phrase === undefined ? [] : [{ phrase }];
  });
  return {
    ...{ askerId: asker.id, required, excluded: [], scope: 'all', minId: -1n, maxId: idMax, limit: 20 },
    ...more,
  };
}

/** So that a file can be looked into, or be damaged. */
export function openIndex(path: string, shardEntriesMax?: number): IndexFile {
  return IndexFile.open({ path, folder: 'test', shardEntriesMax });
}
