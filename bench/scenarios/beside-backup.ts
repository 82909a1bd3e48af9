/**
 * What a backup costs those who use the server meanwhile: homes and posts at a stated rate, alone and beside backups that
 * follow each other, in turn. Nothing is pinned: the backup is a process that the system puts where there is room.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { percentile } from '../measure/statistics.ts';
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
  const latencies = { alone: [] as number[], beside: [] as number[] };
  let backups = 0;
  try {
    await load.prepare({ ...server, connections: size.connections, requests: row.requests(facts, server.host) });
    await load.schedule(perSecond, size.warmUpMilliseconds);
    for (let pair = 0; pair < size.pairs; pair += 1) {
      latencies.alone.push(...(await answered(load, perSecond, size.windowMilliseconds)));
      const making = repeatBackups(where);
      latencies.beside.push(...(await answered(load, perSecond, size.windowMilliseconds)));
      backups += await making.end();
    }
  } finally {
    await stopAll(load);
  }
  samples.write({ scenario: name, kind: 'latency', what: row.what, ...latencies });
  return ranks.map((rank) => {
    const [alone, beside] = [percentile(latencies.alone, rank), percentile(latencies.beside, rank)];
    return {
      what: `${row.what} beside a backup, p${rank}, open loop, ${perSecond}/s`,
      measured: beside / alone,
      unit: 'times that without one',
      ...(rank === 99 ? { target: { atMost: ratioAtMost } } : {}),
      beside: `${beside.toFixed(2)} ms, alone ${alone.toFixed(2)} ms; ${latencies.beside.length} requests of each, ${backups} backups`,
    };
  });
}

async function answered(load: HttpLoad, perSecond: number, milliseconds: number): Promise<Iterable<number>> {
  const { latencies, failures } = await load.schedule(perSecond, milliseconds);
  if (failures > 0) throw new Error(`${failures} answers failed`);
  return latencies;
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
