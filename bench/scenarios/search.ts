/**
 * Search in the text of statuses: what indexing costs a status and takes on the disk, and what queries cost with the
 * pages of the index in memory and without. Queries are of the sorts that people send, or made to be costly.
 *
 * Cold: the file is opened anew, so that SQLite has none of its pages, and the kernel has dropped those that it kept (dd
 * with `nocache`, which is posix_fadvise). What the disk itself keeps stays.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/threads/clock.ts';
import { entryOf } from '../../src/services/search/entry.ts';
import { findIn } from '../../src/services/search/find.ts';
import { IndexFile } from '../../src/services/search/index-file.ts';
import { searchLimits } from '../../src/services/search/limits.ts';
import type { SearchQuery } from '../../src/services/search/search.ts';
import { SearchEngine } from '../../src/services/search/search-engine.ts';
import { percentile } from '../measure/statistics.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { archiveSeed, smallerArchive } from '../seed/archive.ts';
import { partitions } from '../seed/community.ts';
import { writtenStatus } from '../seed/made-up-statuses.ts';
import { openOwners } from '../seed/owners.ts';
import { costlyQueries, type QuerySort, usualQueries } from './search-queries.ts';

const name = 'search';
const perSecondAtLeast = 5_000;
const queryMillisecondsAtMost = 50;
const statusesAtOnce = 500;

export const searchScenario: Scenario = {
  name,
  summary: 'search in the text of statuses: indexing, and queries with a warm and a cold cache',
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'murmuration-bench-search-'));
    const path = join(folder, 'index.sqlite');
    try {
      const filled = fill(path, context.size.search.statuses);
      const figures = [...filledFigures(filled), await partitionsFigure(context, join(folder, 'read.sqlite'))];
      context.samples.write({ scenario: name, kind: 'indexed', ...filled });
      return [...figures, ...queryFigures(context, path)];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Of this process. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function open(path: string): IndexFile {
  return IndexFile.open({ path, folder: name });
}

interface Filled {
  readonly written: number;
  readonly entries: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

function fill(path: string, written: number): Filled {
  const file = open(path);
  let milliseconds = 0;
  for (let first = 0; first < written; first += statusesAtOnce) {
    const some = Array.from({ length: statusesAtOnce }, (_, index) => writtenStatus(first + index, written));
    const begun = cpuMilliseconds();
    file.transact(() => {
      for (const { status, author } of some) file.putEntry(status.id, entryOf(status, author, []));
    });
    while (file.mergeOn());
    milliseconds += cpuMilliseconds() - begun;
  }
  const filled = { written, entries: file.countEntries(), milliseconds, bytes: file.bytes() };
  file.close();
  return filled;
}

function filledFigures({ written, entries, milliseconds, bytes }: Filled): Figure[] {
  return [
    {
      what: 'statuses indexed a CPU second',
      measured: (1_000 * entries) / milliseconds,
      unit: 'statuses/s',
      target: { atLeast: perSecondAtLeast },
      beside: `${((1_000 * milliseconds) / entries).toFixed(1)} µs of CPU each, ${written} of them, merges among it; without reading them`,
    },
    { what: 'the index on the disk', measured: bytes / entries, unit: 'B a status', beside: `${entries} statuses` },
  ];
}

/** As a server builds its index: from its partitions. */
async function partitionsFigure({ size, seeds, samples }: BenchContext, path: string): Promise<Figure> {
  const data = await seeds.open(archiveSeed(smallerArchive(size.archive)));
  const owners = await openOwners({ dataDirectory: data.dataDirectory, partitions });
  const report = ({ message }: { readonly message: string }) => {
    throw new Error(message);
  };
  const engine = new SearchEngine({ snapshots: owners.snapshots, path, folder: name, report, ...systemClock });
  try {
    const begun = cpuMilliseconds();
    while (engine.proceed() < searchLimits.lookMilliseconds);
    const milliseconds = cpuMilliseconds() - begun;
    const { statuses } = await engine.state();
    samples.write({ scenario: name, kind: 'read from partitions', statuses, milliseconds });
    return {
      what: 'statuses read from the partitions and indexed a CPU second',
      measured: (1_000 * statuses) / milliseconds,
      unit: 'statuses/s',
      target: { atLeast: perSecondAtLeast },
      beside: `${((1_000 * milliseconds) / statuses).toFixed(1)} µs of CPU each, ${statuses} of them`,
    };
  } finally {
    engine.stop();
    await owners.close();
    data.remove();
  }
}

function queryFigures({ size, samples }: BenchContext, path: string): Figure[] {
  const { queries, coldQueries } = size.search;
  const warm = open(path);
  const measured = usualQueries.map((sort) => {
    const costs = sort.queries(queries).map((query) => cost(warm, query).whole);
    samples.write({ scenario: name, kind: 'warm', sort: sort.name, costs });
    return { sort, costs };
  });
  const costly = costlyQueries.map((sort) => ({ sort, costs: sort.queries(1).map((one) => cost(warm, one)) }));
  for (const { sort, costs } of costly) samples.write({ scenario: name, kind: 'costly', sort: sort.name, costs });
  warm.close();
  const cold = usualQueries.map((sort) => {
    const costs = sort.queries(coldQueries).map((query) => coldCost(path, query));
    samples.write({ scenario: name, kind: 'cold', sort: sort.name, costs });
    return { sort, costs };
  });
  const longest = costly.flatMap(({ sort, costs }) => costs.map((one) => ({ sort, ...one })));
  const [slowest] = longest.toSorted((one, other) => other.longest - one.longest);
  return [
    queryFigure('CPU of a query, 99 of 100, warm', measured),
    queryFigure('CPU of a query, 99 of 100, cold', cold),
    {
      what: 'the costliest queries: CPU without a pause for others',
      measured: slowest!.longest,
      unit: 'ms',
      target: { atMost: queryMillisecondsAtMost },
      beside: `${slowest!.sort.name}; whole ${Math.max(...longest.map(({ whole }) => whole)).toFixed(0)} ms, of which a server takes ${searchLimits.findMilliseconds}`,
    },
  ];
}

function coldCost(path: string, query: SearchQuery): number {
  execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
  const file = open(path);
  const { whole } = cost(file, query);
  file.close();
  return whole;
}

/** Milliseconds of CPU, and those of the longest stretch in which nobody else is answered. */
function cost(file: IndexFile, query: SearchQuery): { readonly whole: number; readonly longest: number } {
  let [whole, longest] = [0, 0];
  const steps = findIn(file, query);
  for (;;) {
    const begun = cpuMilliseconds();
    const { done } = steps.next();
    const milliseconds = cpuMilliseconds() - begun;
    whole += milliseconds;
    longest = Math.max(longest, milliseconds);
    if (done === true) return { whole, longest };
  }
}

function queryFigure(
  what: string,
  sorts: readonly { readonly sort: QuerySort; readonly costs: readonly number[] }[],
): Figure {
  const each = sorts.map(({ sort, costs }) => ({ sort, at99: percentile(costs, 99), at50: percentile(costs, 50) }));
  const [slowest] = each.toSorted((one, other) => other.at99 - one.at99);
  const listed = each.map(({ sort, at50, at99 }) => `${sort.name} ${at50.toFixed(1)} / ${at99.toFixed(1)}`);
  return {
    what: `${what}, the slowest sort`,
    measured: slowest!.at99,
    unit: 'ms',
    target: { atMost: queryMillisecondsAtMost },
    beside: `median / 99 of 100: ${listed.join(', ')}`,
  };
}
