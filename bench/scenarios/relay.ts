/**
 * A relay that passes posts on to many healthy subscribers: with one signature for all, against bare POSTs, and with one
 * for each, against a bare signature and a bare POST.
 */
import { connect } from 'node:net';
import { type Fleet, openFleet } from '../fleet/fleet.ts';
import { remotePerson } from '../load/remote/people.ts';
import { openRemoteSender, type RemoteSender } from '../load/remote/sender.ts';
import { type PairedRuns, runPairs, type Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { type Child, openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { BenchContext, Figure, Scenario } from '../scenario.ts';
import { relaySeed } from '../seed/relay.ts';
import type { Size } from '../sizes.ts';
import { percent, stopAll } from './words.ts';

const name = 'relay';
/** Progress of the lanes is written up to this long after the last answer; it belongs to the deliveries. */
const progressMilliseconds = 1_300;

export const relayScenario: Scenario = {
  name,
  summary: 'posts passed on to healthy subscribers, with one signature for all and with one for each',
  run: async (input) => [
    await measure(input, { isShared: true, atLeast: 0.55, what: 'one signature for all', unit: 'of a bare POST' }),
    await measure(input, {
      isShared: false,
      atLeast: 0.9,
      what: 'a signature for each',
      unit: 'of a bare signature and a bare POST',
    }),
  ],
};

interface Variant {
  readonly isShared: boolean;
  readonly atLeast: number;
  readonly what: string;
  readonly unit: string;
}

interface Running {
  readonly fleet: Fleet;
  readonly server: Server;
  readonly bare: Child;
  readonly sender: RemoteSender;
}

async function measure({ size, seeds, samples, profileFolder }: BenchContext, variant: Variant): Promise<Figure> {
  const { servers, port } = size.correspondence;
  const data = await seeds.open(relaySeed(size.correspondence));
  const cores = coresOfPinnedRun();
  const sender = await openRemoteSender(data.facts.sender, port);
  const fleet = await openFleet(servers, port, cores.generator);
  const environment = {
    MURMURATION_RELAY: 'only',
    MURMURATION_RELAY_SHARED_SIGNATURE: variant.isShared ? 'on' : 'off',
  };
  const server = await startServer({
    dataDirectory: data.dataDirectory,
    core: cores.measured,
    environment,
    profileFolder: variant.isShared ? profileFolder : undefined,
  });
  const bare = openChild(new URL('../references/bare-delivery.ts', import.meta.url), { core: cores.measured });
  try {
    await fleet.quiet(0, size.quietMilliseconds);
    const runs = await pairs(size, { fleet, server, bare, sender }, variant);
    for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', what: variant.what, ...pair });
    return figureOf(servers, runs, variant);
  } finally {
    sender.close();
    await stopAll(server, bare, fleet);
    data.remove();
  }
}

async function pairs(size: Size, running: Running, { isShared }: Variant): Promise<PairedRuns> {
  const { fleet, server, bare } = running;
  const { servers, port } = size.correspondence;
  const keptDelivery = await fleet.keepOne();
  await post(running, size.warmUpPosts, servers);
  const origins = Array.from({ length: servers }, (_, number) => `http://${remotePerson(number, port).host}`);
  await bare.ask('prepare', { origins, delivery: await keptDelivery() });
  const count = size.postsPerWindow * servers;
  const deliver = async () => {
    await fleet.begin();
    const window = await bare.ask<Window>('deliver', { count, signatures: isShared ? 0 : count });
    return { ...window, busyShare: (await fleet.arrived(count)).busyShare };
  };
  await deliver();
  server.toggleProfile();
  const runs = await runPairs(size.pairs, () => post(running, size.postsPerWindow, servers), deliver);
  server.toggleProfile();
  return runs;
}

let number = 0;

/** Posts to the relay; ends when the last subscriber has got the last of them. */
async function post({ fleet, server, sender }: Running, posts: number, servers: number): Promise<Window> {
  await fleet.begin();
  const before = cpuMicrosecondsOf(server.processId);
  let failures = 0;
  for (let index = 0; index < posts; index += 1) {
    number += 1;
    if (!(await isAccepted(server, sender.signed(`${server.host}:${server.port}`, number)))) failures += 1;
  }
  const { deliveries, wallMilliseconds, busyShare } = await fleet.arrived((posts - failures) * servers);
  await new Promise((resolve) => setTimeout(resolve, progressMilliseconds));
  const cpuMicroseconds = cpuMicrosecondsOf(server.processId) - before;
  return { operations: deliveries, cpuMicroseconds, wallMilliseconds, busyShare, failures };
}

function isAccepted({ port }: Server, signed: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(signed));
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer.toString('latin1').startsWith('HTTP/1.1 202'));
    });
    socket.once('error', reject);
  });
}

function figureOf(servers: number, runs: PairedRuns, { what, unit, atLeast }: Variant): Figure {
  const perSecond = runs.pairs.map(({ server }) => (server.operations * 1000) / server.wallMilliseconds);
  return {
    what: `relay to ${servers} subscribers, ${what}`,
    measured: runs.ratio,
    unit,
    lowest: runs.lowest,
    highest: runs.highest,
    target: { atLeast },
    beside: `CPU ${runs.serverMicroseconds.toFixed(0)} µs a delivery, bare ${runs.referenceMicroseconds.toFixed(0)} µs; ${Math.max(...perSecond).toFixed(0)} deliveries/s on one core; fleet busy ${percent(runs.busyShare)}`,
  };
}
