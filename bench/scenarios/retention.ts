/**
 * A rule that forgets old posts of other servers, on a server that has many: how long a run takes, what it costs those who
 * read homes and post meanwhile, and how much space is free inside the files afterwards. Nothing is pinned.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRetention } from '../../src/actors/instance/retention/retention.queries.ts';
import type { Retention } from '../../src/actors/instance/retention/retention.records.ts';
import { openToRead } from '../../src/server/backup/moment.ts';
import { findDataFolder } from '../../src/server/folder/data-folder.ts';
import { type HttpLoad, httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { median, percentile } from '../measure/statistics.ts';
import { projectFolder, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import type { CommunityFacts } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import { unusedSeed } from '../seed/unused.ts';
import { stopAll } from './words.ts';

const name = 'retention';
const days = 30;
/** A rule begins an hour after it was made. */
const untilDueSeconds = 3_700;
const ranks = [50, 99];
const [warmPercent, warmMilliseconds] = [90, 100];
const warmUpsMax = 30;
const run = promisify(execFile);

export const retentionScenario: Scenario = {
  name,
  summary: 'how long forgetting old posts of other servers takes, and what homes and posts take meanwhile',
  runsWhenNamed: true,
  async run(context) {
    const { size, seeds } = context;
    const { dataDirectory, facts, remove } = await seeds.open(unusedSeed(size.community, size.unused));
    const environment = {
      MURMURATION_REMOTE_STATUS_DAYS: String(days),
      MURMURATION_CLOCK: `${new Date().toISOString().slice(0, 19)}Z`,
    };
    const server = await startServer({ dataDirectory, environment });
    const loads = { homes: openHttpLoad(), posts: openHttpLoad() };
    try {
      const freeBefore = await freeBytes(dataDirectory);
      await prepare(context, loads, server, facts);
      await warmUp(context, loads);
      const alone: Window[] = [];
      for (let pair = 0; pair < size.pairs; pair += 1) alone.push(await window(context, loads));
      await command(dataDirectory, 'clock', 'forward', String(untilDueSeconds));
      // The server has closed connections that were idle during the command.
      await prepare(context, loads, server, facts);
      const beside: Window[] = [];
      let found = await retentionIn(dataDirectory);
      for (; found?.run?.endedAt === undefined; found = await retentionIn(dataDirectory))
        beside.push(await window(context, loads));
      const freeAfter = await freeBytes(dataDirectory);
      return figuresOf(context, { found, alone, beside, free: freeAfter - freeBefore });
    } finally {
      await stopAll(loads.homes, loads.posts, server);
      remove();
    }
  },
};

interface Loads {
  readonly homes: HttpLoad;
  readonly posts: HttpLoad;
}

/** Latencies of a moment, of homes and posts at once. */
interface Window {
  readonly homes: number[];
  readonly posts: number[];
}

async function prepare(
  { size }: BenchContext,
  { homes, posts }: Loads,
  server: Awaited<ReturnType<typeof startServer>>,
  facts: CommunityFacts,
): Promise<void> {
  const reads = facts.readers.map((reader) =>
    httpRequest('GET', server.host, '/api/v1/timelines/home', { token: tokenOf(reader) }),
  );
  await homes.prepare({ ...server, connections: size.connections, requests: reads });
  await posts.prepare({ ...server, connections: size.connections, requests: postRequests(facts, server.host) });
}

/** Homes that nobody has read yet are merged first; what piles up meanwhile is no part of any window. */
async function warmUp(context: BenchContext, loads: Loads): Promise<void> {
  for (let times = 0; times < warmUpsMax; times += 1) {
    const { homes, posts } = await window(context, loads);
    if (Math.max(percentile(homes, warmPercent), percentile(posts, warmPercent)) < warmMilliseconds) return;
  }
}

/** At a quarter of the rates of open loops: both run at once, beside the run. */
async function window({ size }: BenchContext, { homes, posts }: Loads): Promise<Window> {
  const [read, written] = await Promise.all([
    homes.schedule(size.readsPerSecond / 4, size.windowMilliseconds),
    posts.schedule(size.writesPerSecond / 4, size.windowMilliseconds),
  ]);
  const failures = read.failures + written.failures;
  if (failures > 0) throw new Error(`${failures} answers failed`);
  return { homes: [...read.latencies], posts: [...written.latencies] };
}

async function retentionIn(dataDirectory: string): Promise<Retention | undefined> {
  const opened = openToRead(findDataFolder(dataDirectory), true);
  try {
    await opened.hold();
    return findRetention(opened.reader);
  } finally {
    await opened.close();
  }
}

async function command(dataDirectory: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, MURMURATION_DATA_DIR: dataDirectory };
  const { stdout } = await run(process.execPath, [join(projectFolder, 'src/start.mjs'), ...words], { env });
  return stdout;
}

/** Inside the files of the database, for whatever is written next. */
async function freeBytes(dataDirectory: string): Promise<number> {
  const report = JSON.parse(await command(dataDirectory, 'storage', '--json')) as {
    readonly partitions: readonly { readonly freeBytes: number }[];
  };
  return report.partitions.reduce((sum, partition) => sum + partition.freeBytes, 0);
}

interface Measured {
  readonly found: Retention | undefined;
  readonly alone: readonly Window[];
  readonly beside: readonly Window[];
  readonly free: number;
}

function figuresOf({ size, samples }: BenchContext, { found, alone, beside, free }: Measured): Figure[] {
  const { startedAt, endedAt, examined, forgotten } = found!.run!;
  const seconds = (endedAt! - startedAt) / 1_000;
  samples.write({ scenario: name, kind: 'windows', alone, beside, seconds, forgotten, free });
  const latencies = (['homes', 'posts'] as const).flatMap((what) =>
    ranks.map((rank): Figure => {
      const of = (windows: readonly Window[]) => windows.map((one) => percentile(one[what], rank));
      const [before, during] = [median(of(alone)), of(beside)];
      return {
        what: `${what} while old posts are forgotten, p${rank}`,
        measured: median(during) / before,
        lowest: Math.min(...during) / before,
        highest: Math.max(...during) / before,
        unit: 'times that before',
        beside: `${median(during).toFixed(2)} ms, before ${before.toFixed(2)} ms; medians of ${during.length} and ${alone.length} windows`,
      };
    }),
  );
  return [
    {
      what: `${size.unused.statuses} old posts forgotten`,
      measured: forgotten / seconds,
      unit: 'posts/s',
      beside: `${forgotten} of ${examined} in ${seconds.toFixed(0)} s`,
    },
    {
      what: 'space that is free inside the files afterwards',
      measured: free / 1_000_000,
      unit: 'MB',
      beside: `${(free / Math.max(forgotten, 1)).toFixed(0)} bytes a post`,
    },
    ...latencies,
  ];
}
