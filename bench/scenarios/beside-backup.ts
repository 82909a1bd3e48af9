/**
 * What a backup costs those who use the server meanwhile: homes and posts at a stated rate, alone and beside backups that
 * follow each other, in turn. The figure is the median of the pairs of windows: on two cores anything that runs for a moment
 * decides about the slowest hundredth of a window. Nothing is pinned: the backup is a process that the system puts where there
 * is room.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { median, percentile } from '../measure/statistics.ts';
import { endWithParent } from '../processes/child.ts';
import { projectFolder, type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import type { Size } from '../sizes.ts';
import { stopAll } from './words.ts';

const name = 'beside-backup';
const ratioAtMost = 1.5;
const ranks = [50, 99];
/** Homes that nobody has read yet are merged first: what piles up meanwhile is no part of any window. */
const warmMedianMilliseconds = 20;
const warmUpsMax = 15;

interface Row {
  readonly what: string;
  readonly perSecond: (size: Size) => number;
  readonly requests: (facts: CommunityFacts, host: string) => string[];
}

const rows: readonly Row[] = [
  {
    what: 'GET of home',
    perSecond: ({ readsPerSecond }) => readsPerSecond,
    requests: ({ readers }, host) =>
      readers.map((reader) => httpRequest('GET', host, '/api/v1/timelines/home', { token: tokenOf(reader) })),
  },
  { what: 'POST', perSecond: ({ writesPerSecond }) => writesPerSecond, requests: postRequests },
];

export const besideBackupScenario: Scenario = {
  name,
  summary: 'latency of homes and posts beside backups, against that without them',
  async run(context) {
    const { dataDirectory, facts, remove } = await context.seeds.open(communitySeed(context.size.community));
    const server = await startServer({ dataDirectory });
    const place = mkdtempSync(join(tmpdir(), 'murmuration-bench-backup-'));
    try {
      const figures: Figure[] = [];
      for (const row of rows) figures.push(...(await measure(context, row, { server, facts, dataDirectory, place })));
      return figures;
    } finally {
      await server.stop();
      rmSync(place, { recursive: true, force: true });
      remove();
    }
  },
};

/** Latencies of two windows, one after the other. */
interface Pair {
  readonly alone: number[];
  readonly beside: number[];
}

interface Place {
  readonly server: Server;
  readonly facts: CommunityFacts;
  readonly dataDirectory: string;
  readonly place: string;
}

async function measure({ size, samples }: BenchContext, row: Row, where: Place): Promise<Figure[]> {
  const { server, facts } = where;
  const load = openHttpLoad();
  const perSecond = row.perSecond(size);
  const pairs: Pair[] = [];
  let backups = 0;
  try {
    await load.prepare({ ...server, connections: size.connections, requests: row.requests(facts, server.host) });
    for (let times = 0; times < warmUpsMax; times += 1)
      if (median(await answered(load, perSecond, size.warmUpMilliseconds)) < warmMedianMilliseconds) break;
    for (let pair = 0; pair < size.pairs; pair += 1) {
      const alone = await answered(load, perSecond, size.windowMilliseconds);
      const making = repeatBackups(where);
      const beside = await answered(load, perSecond, size.windowMilliseconds);
      backups += await making.end();
      pairs.push({ alone, beside });
    }
  } finally {
    await stopAll(load);
  }
  for (const pair of pairs) samples.write({ scenario: name, kind: 'latency', what: row.what, ...pair });
  return ranks.map((rank) => {
    const of = (side: keyof Pair) => pairs.map((pair) => percentile(pair[side], rank));
    const [alone, beside] = [of('alone'), of('beside')];
    const ratios = beside.map((latency, pair) => latency / alone[pair]!);
    return {
      what: `${row.what} beside a backup, p${rank}, open loop, ${perSecond}/s`,
      measured: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
      unit: 'times that without one',
      ...(rank === 99 ? { target: { atMost: ratioAtMost } } : {}),
      beside: `${median(beside).toFixed(2)} ms, alone ${median(alone).toFixed(2)} ms, medians of ${pairs.length} windows; ${backups} backups`,
    };
  });
}

async function answered(load: HttpLoad, perSecond: number, milliseconds: number): Promise<number[]> {
  const { latencies, failures } = await load.schedule(perSecond, milliseconds);
  if (failures > 0) throw new Error(`${failures} answers failed`);
  return [...latencies];
}

/** One after the other, as an operator starts them, until it is ended; then the last one comes to its end. */
function repeatBackups({ dataDirectory, place }: Place): { end(): Promise<number> } {
  let isEnding = false;
  const all = (async () => {
    let count = 0;
    while (!isEnding) {
      await backUp(dataDirectory, place);
      count += 1;
    }
    return count;
  })();
  return {
    end() {
      isEnding = true;
      return all;
    },
  };
}

async function backUp(dataDirectory: string, place: string): Promise<void> {
  const child = spawn(process.execPath, [join(projectFolder, 'src/start.mjs'), 'backup', place, '--keep', '1'], {
    env: { ...process.env, MURMURATION_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await endWithParent(child);
  if (child.exitCode !== 0) throw new Error(`the backup ended with code ${child.exitCode}`);
}
