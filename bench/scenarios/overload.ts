/**
 * Far more posts than the machine can take: how much of its work is still of use, what it keeps in memory meanwhile, and
 * how soon it is as quick as before. The peak is that of the closed loop; then ten times as many are due in a second, an
 * open loop over many connections. Of use is what is answered well while somebody still waits for it: within two
 * seconds of its sending, and five of when it was due. Meanwhile one more person posts now and then with an app that
 * tries again when the server says so. Nothing is pinned: the generator takes its share of
 * the machine, and more of it under overload, which counts against the server.
 */
import { openHttpLoad } from '../generators/http-load.ts';
import { cacheBytesOf } from '../measure/cache-bytes.ts';
import { type Window, warmUp } from '../measure/pairs.ts';
import { residentBytesOf } from '../measure/process-cpu.ts';
import { median, percentile } from '../measure/statistics.ts';
import { watchMemory } from '../measure/watch-memory.ts';
import { freePort, type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { communitySeed } from '../seed/community.ts';
import { postRequests } from '../seed/posts.ts';
import { waitsOfPersonWhoPosts } from './person-who-posts.ts';
import { percent, stopAll } from './words.ts';

const name = 'overload';
const times = 10;
const peakWindows = 3;
/** With more under way commits are larger: the peak is that of a machine with enough to do. */
const peakConnectionsFactor = 8;
const usefulAtLeast = 0.8;
const recoveryMillisecondsAtMost = 5_000;
const growthBytesAtMost = 256_000_000;
const inTime = { afterSending: 2_000, afterDue: 5_000 };
const personWaitsAtMost = 10_000;
/** As quick as before: at a quarter of the peak nothing is refused, and most answers come within this. */
const calmShare = 0.25;
const calmMilliseconds = 250;
const calmLatencyMilliseconds = 500;

type Load = ReturnType<typeof openHttpLoad>;

interface Rush {
  readonly load: Load;
  readonly requests: readonly string[];
  /** Somebody who is not among those who post. */
  readonly person: bigint;
  /** What the caches of the server hold now. */
  readonly cacheBytes: () => Promise<number>;
}

export const overloadScenario: Scenario = {
  name,
  summary: `POST of a status at ${times} times the rate that the machine can take`,
  async run(context) {
    const data = await context.seeds.open(communitySeed(context.size.community));
    const metricsPort = await freePort('127.0.0.1');
    const environment = { MURMURATION_METRICS_PORT: String(metricsPort) };
    const server = await startServer({ dataDirectory: data.dataDirectory, environment });
    const load = openHttpLoad();
    try {
      const requests = postRequests(data.facts, server.host);
      return await figures(context, server, {
        load,
        requests,
        person: data.facts.readers[0]!,
        cacheBytes: () => cacheBytesOf(metricsPort),
      });
    } finally {
      await stopAll(load, server);
      data.remove();
    }
  },
};

async function figures(
  { size, samples }: BenchContext,
  server: Server,
  { load, requests, person, cacheBytes }: Rush,
): Promise<Figure[]> {
  const { host, port, processId } = server;
  const open = (connections: number) => load.prepare({ host, port, connections, requests });
  await open(size.connections * peakConnectionsFactor);
  await warmUp(() => load.loop(processId, size.warmUpMilliseconds));
  const windows: Window[] = [];
  for (let count = 0; count < peakWindows; count += 1)
    windows.push(await load.loop(processId, size.windowMilliseconds));
  const peak = median(windows.map(({ operations, wallMilliseconds }) => (operations * 1_000) / wallMilliseconds));
  await open(size.overloadConnections);
  const before = residentBytesOf(processId).own;
  const cached = await cacheBytes();
  const memory = watchMemory(processId);
  const end = new AbortController();
  const rushed = load.schedule(Math.ceil(peak * times), size.overloadMilliseconds, inTime).finally(() => {
    memory.stop();
    end.abort();
  });
  const [rush, waits] = await Promise.all([rushed, waitsOfPersonWhoPosts(server, person, end.signal)]);
  const cachedMeanwhile = (await cacheBytes()) - cached;
  const grown = memory.most() - before - Math.max(0, cachedMeanwhile);
  const recovery = await millisecondsUntilCalm(load, peak);
  const perSecond = (count: number) => (count * 1_000) / rush.wallMilliseconds;
  const [useful, answered] = [perSecond(rush.inTime), perSecond(rush.operations - rush.failures)];
  const { latencies, ...rest } = rush;
  samples.write({ scenario: name, kind: 'overload', peak, useful, answered, grown, recovery, waits, ...rest });
  return [
    {
      what: `POST at ${times} times the peak: what is answered well and in time`,
      measured: useful / peak,
      unit: 'of the peak',
      target: { atLeast: usefulAtLeast },
      beside: `${useful.toFixed(0)} in time of ${peak.toFixed(0)} a second, ${percent(answered / peak)} at any age; ${rush.failures} of ${rush.operations} refused; latency p50 ${percentile(latencies, 50).toFixed(0)} ms; generator busy ${percent(rush.busyShare)}`,
    },
    {
      what: 'the same: how long somebody waits who posts meanwhile, p95',
      measured: percentile(waits, 95) / 1_000,
      unit: 's',
      target: { atMost: personWaitsAtMost / 1_000 },
      beside: `${waits.length} posts, tried again when the server says so; p50 ${(percentile(waits, 50) / 1_000).toFixed(1)} s`,
    },
    {
      what: 'the same: memory that the server takes meanwhile, besides its caches',
      measured: grown / 1_000_000,
      unit: 'MB',
      target: { atMost: growthBytesAtMost / 1_000_000 },
      beside: `${inMegabytes(before)} MB before, without pages of files; ${inMegabytes(cachedMeanwhile)} MB more in its caches, which are bounded`,
    },
    {
      what: 'the same: until it is as quick as before',
      measured: recovery / 1_000,
      unit: 's',
      target: { atMost: recoveryMillisecondsAtMost / 1_000 },
      beside: `posts at ${percent(calmShare)} of the peak: none refused, p99 below ${calmLatencyMilliseconds} ms`,
    },
  ];
}

const inMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);

/** How long ago the first calm stretch began; it gives up when that takes far longer than it may. */
async function millisecondsUntilCalm(load: Load, peak: number): Promise<number> {
  const begunAt = performance.now();
  for (;;) {
    const stretchAt = Math.round(performance.now() - begunAt);
    const { failures, latencies } = await load.schedule(Math.ceil(peak * calmShare), calmMilliseconds);
    if (failures === 0 && percentile(latencies, 99) < calmLatencyMilliseconds) return stretchAt;
    if (stretchAt > recoveryMillisecondsAtMost * 4) return stretchAt;
  }
}
