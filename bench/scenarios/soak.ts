/**
 * Ten minutes of mixed load, on a server that may take so much memory and no more: readers look at their homes,
 * notifications, single statuses and the local timeline as fast as they are answered, while authors post. Then nothing
 * happens for a minute. Pages of the database do not count: they are the system's cache. It takes as long as all other
 * scenarios together, and runs when it is named.
 */
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { cacheBytesOf } from '../measure/cache-bytes.ts';
import { residentBytesOf } from '../measure/process-cpu.ts';
import { watchMemory } from '../measure/watch-memory.ts';
import { freePort, type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import { stopAll } from './words.ts';

const name = 'soak';
const megabytes = 512;
const bytesPerMegabyte = 1024 * 1024;
/** What an idle server may keep beyond what it had before and what its caches hold. */
const keptBytesAtMost = 64_000_000;

export const soakScenario: Scenario = {
  name,
  summary: `mixed load on a server with MURMURATION_MEMORY=${megabytes}, then nothing`,
  runsWhenNamed: true,
  async run(context) {
    const data = await context.seeds.open(communitySeed(context.size.community));
    const metricsPort = await freePort('127.0.0.1');
    const environment = { MURMURATION_MEMORY: String(megabytes), MURMURATION_METRICS_PORT: String(metricsPort) };
    const server = await startServer({ dataDirectory: data.dataDirectory, environment });
    const [reading, writing] = [openHttpLoad(), openHttpLoad()];
    const { host, port, processId } = server;
    const { connections, soakMilliseconds, settleMilliseconds } = context.size;
    try {
      const before = residentBytesOf(processId).own;
      await reading.prepare({ host, port, connections, requests: readRequests(data.facts, host) });
      await writing.prepare({ host, port, connections, requests: postRequests(data.facts, host) });
      const memory = watchMemory(processId);
      const [read, written] = await Promise.all([
        reading.loop(processId, soakMilliseconds),
        writing.loop(processId, soakMilliseconds),
      ]).finally(memory.stop);
      const failures = read.failures + written.failures;
      if (failures > 0) throw new Error(`${failures} requests failed`);
      const held = { before, most: memory.most(), end: residentBytesOf(processId).own };
      await new Promise((resolve) => setTimeout(resolve, settleMilliseconds));
      const idle = residentBytesOf(processId).own;
      const caches = await cacheBytesOf(metricsPort);
      const perSecond = [read, written].map((load) => Math.round((load.operations * 1_000) / load.wallMilliseconds));
      return figuresOf(context, server, { ...held, idle, caches, perSecond });
    } finally {
      await stopAll(reading, writing, server);
      data.remove();
    }
  },
};

function readRequests({ readers, statuses }: CommunityFacts, host: string): string[] {
  return readers.flatMap((reader, index) =>
    [
      '/api/v1/timelines/home?limit=20',
      '/api/v1/notifications?limit=20',
      `/api/v1/statuses/${statuses[(index * 7) % statuses.length]}`,
      '/api/v1/timelines/public?local=true&limit=20',
    ].map((path) => httpRequest('GET', host, path, { token: tokenOf(reader) })),
  );
}

interface Held {
  readonly before: number;
  readonly most: number;
  readonly end: number;
  readonly idle: number;
  readonly caches: number;
  readonly perSecond: readonly number[];
}

function figuresOf({ size, samples }: BenchContext, { processId }: Server, held: Held): Figure[] {
  const { before, most, end, idle, caches, perSecond } = held;
  samples.write({ scenario: name, kind: 'memory', processId, ...held });
  const inMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);
  return [
    {
      what: `memory of its own, at most in ${(size.soakMilliseconds / 60_000).toFixed(0)} minutes of mixed load`,
      measured: most / 1_000_000,
      unit: 'MB',
      target: { atMost: (megabytes * bytesPerMegabyte) / 1_000_000 },
      beside: `${inMegabytes(before)} MB before, ${inMegabytes(end)} MB at the end; ${perSecond[0]} reads and ${perSecond[1]} posts a second`,
    },
    {
      what: 'the same, kept beyond its caches when nothing has happened for a while',
      measured: Math.max(0, idle - before - caches) / 1_000_000,
      unit: 'MB',
      target: { atMost: keptBytesAtMost / 1_000_000 },
      beside: `${inMegabytes(idle)} MB, of which caches ${inMegabytes(caches)} MB`,
    },
  ];
}
