/**
 * Signed deliveries to many healthy servers, one follower on each. The limit is what the cheapest client pays for the same
 * requests: a bare asynchronous RSA-2048 signature and a bare POST each.
 */

import type { Fleet } from '../fleet/fleet.ts';
import { openFleet } from '../fleet/fleet.ts';
import { remotePerson } from '../load/remote/people.ts';
import { type PairedRuns, runPairs, type Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { type Child, openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { type CorrespondenceFacts, correspondenceSeed, firstDeliveries } from '../seed/correspondence.ts';
import { statusText, tokenOf } from '../seed/people.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const name = 'deliveries';
const ratioAtLeast = 0.8;
/** Progress of the lanes is written up to this long after the last answer; it belongs to the deliveries. */
const progressMilliseconds = 300;

export const deliveriesScenario: Scenario = {
  name,
  summary: 'signed deliveries to healthy servers, against a bare signature and a bare POST each',
  async run({ size, seeds, samples, profileFolder }) {
    const { servers, port } = size.correspondence;
    const data = await seeds.open(correspondenceSeed(size.correspondence));
    const cores = coresOfPinnedRun();
    const fleet = await openFleet(servers, port, cores.generator);
    const server = await startServer({ dataDirectory: data.dataDirectory, core: cores.measured, profileFolder });
    const bare = openChild(new URL('../references/bare-delivery.ts', import.meta.url), { core: cores.measured });
    try {
      await fleet.quiet(firstDeliveries(size.correspondence), size.quietMilliseconds);
      const runs = await pairs(size, { fleet, server, bare, facts: data.facts });
      for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', ...pair });
      return [figureOf(servers, runs)];
    } finally {
      await stopAll(server, bare, fleet);
      data.remove();
    }
  },
};

interface Running {
  readonly fleet: Fleet;
  readonly server: Server;
  readonly bare: Child;
  readonly facts: CorrespondenceFacts;
}

async function pairs(size: Size, running: Running): Promise<PairedRuns> {
  const { fleet, server, bare } = running;
  const { servers, port } = size.correspondence;
  const keptDelivery = await fleet.keepOne();
  await post(running, size.warmUpPosts, servers);
  const origins = Array.from({ length: servers }, (_, number) => `http://${remotePerson(number, port).host}`);
  await bare.ask('prepare', { origins, delivery: await keptDelivery() });
  const count = size.postsPerWindow * servers;
  const deliver = async () => {
    await fleet.begin();
    const window = await bare.ask<Window>('deliver', { count });
    return { ...window, busyShare: (await fleet.arrived(count)).busyShare };
  };
  await deliver();
  server.toggleProfile();
  const runs = await runPairs(size.pairs, () => post(running, size.postsPerWindow, servers), deliver);
  server.toggleProfile();
  return runs;
}

/** Posts by the author that somebody on each server follows; ends when the last delivery has arrived. */
async function post({ fleet, server, facts }: Running, posts: number, servers: number): Promise<Window> {
  await fleet.begin();
  const before = cpuMicrosecondsOf(server.processId);
  const token = tokenOf(facts.author);
  const answers = await Promise.all(
    Array.from({ length: posts }, (_, index) =>
      fetch(`${server.origin}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: statusText(index) }),
      }),
    ),
  );
  const failures = answers.filter(({ ok }) => !ok).length;
  const { deliveries, wallMilliseconds, busyShare } = await fleet.arrived(posts * servers);
  await new Promise((resolve) => setTimeout(resolve, progressMilliseconds));
  const cpuMicroseconds = cpuMicrosecondsOf(server.processId) - before;
  return { operations: deliveries, cpuMicroseconds, wallMilliseconds, busyShare, failures };
}

function figureOf(servers: number, runs: PairedRuns): Figure {
  const perSecond = runs.pairs.map(({ server }) => (server.operations * 1000) / server.wallMilliseconds);
  return {
    what: `signed deliveries to ${servers} healthy servers`,
    measured: runs.ratio,
    unit: 'of a bare signature and a bare POST',
    lowest: runs.lowest,
    highest: runs.highest,
    target: { atLeast: ratioAtLeast },
    beside: `CPU ${runs.serverMicroseconds.toFixed(0)} µs a delivery, bare ${runs.referenceMicroseconds.toFixed(0)} µs; ${Math.max(...perSecond).toFixed(0)} deliveries/s on one core; fleet busy ${percent(runs.busyShare)}`,
  };
}
