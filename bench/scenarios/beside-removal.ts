/**
 * What the removal of a large account costs those who write meanwhile: posts at a stated rate, alone and while a suspended
 * account with many posts and followers is removed, in turn. Each window begins with a server at rest.
 */
import type { Id } from '../../src/runtime/ids.ts';
import { type HttpLoad, openHttpLoad } from '../generators/http-load.ts';
import { atRest } from '../measure/at-rest.ts';
import { median, percentile } from '../measure/statistics.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { departureSeed } from '../seed/departure.ts';
import { tokenOf } from '../seed/people.ts';
import { postRequests } from '../seed/posts.ts';
import type { Size } from '../sizes.ts';
import { stopAll } from './words.ts';

const name = 'beside-removal';
const ranks = [50, 99];

export const besideRemovalScenario: Scenario = {
  name,
  summary: 'latency of posts while the posts and followers of large accounts are removed, against that without it',
  async run({ size, seeds, samples }) {
    const { dataDirectory, facts, remove } = await seeds.open(departureSeed(size.community, size.departure));
    const server = await startServer({ dataDirectory });
    const load = openHttpLoad();
    const pairs: Pair[] = [];
    try {
      await load.prepare({ ...server, connections: size.connections, requests: postRequests(facts, server.host) });
      const posts = () => latenciesOf(load, size.writesPerSecond, size.windowMilliseconds);
      await posts();
      for (const leaver of facts.leavers) {
        await atRest(server);
        const alone = await posts();
        await askAs(facts.owner, server, 'POST', `${leaver}/action`, { type: 'suspend' });
        await atRest(server);
        const begunAt = performance.now();
        await askAs(facts.owner, server, 'DELETE', `${leaver}`);
        const beside = await posts();
        await atRest(server);
        pairs.push({ alone, beside, seconds: (performance.now() - begunAt) / 1_000 });
      }
    } finally {
      await stopAll(load);
      await server.stop();
      remove();
    }
    for (const pair of pairs) samples.write({ scenario: name, kind: 'latency', ...pair });
    return [...ranks.map((rank) => latencyOf(rank, pairs, size)), durationOf(pairs, size)];
  },
};

/** Latencies of two windows, one after the other, and how long the removal took. */
interface Pair {
  readonly alone: number[];
  readonly beside: number[];
  readonly seconds: number;
}

async function latenciesOf(load: HttpLoad, perSecond: number, milliseconds: number): Promise<number[]> {
  const { latencies, failures } = await load.schedule(perSecond, milliseconds);
  if (failures > 0) throw new Error(`${failures} answers failed`);
  return [...latencies];
}

async function askAs(staff: Id, { origin }: Server, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/admin/accounts/${path}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(staff)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} of ${path} is answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

function latencyOf(rank: number, pairs: readonly Pair[], { writesPerSecond }: Size): Figure {
  const of = (side: 'alone' | 'beside') => pairs.map((pair) => percentile(pair[side], rank));
  const [alone, beside] = [of('alone'), of('beside')];
  return {
    what: `POST beside the removal of an account, p${rank}, open loop, ${writesPerSecond}/s`,
    measured: median(beside),
    lowest: Math.min(...beside),
    highest: Math.max(...beside),
    unit: 'ms',
    beside: `alone ${median(alone).toFixed(1)} ms, medians of ${pairs.length} windows`,
  };
}

function durationOf(pairs: readonly Pair[], { departure }: Size): Figure {
  const seconds = pairs.map((pair) => pair.seconds);
  return {
    what: `removal of an account with ${departure.statuses} posts and ${departure.followers} followers`,
    measured: median(seconds),
    lowest: Math.min(...seconds),
    highest: Math.max(...seconds),
    unit: 's',
    beside: 'until the server is at rest, a window of posts included',
  };
}
