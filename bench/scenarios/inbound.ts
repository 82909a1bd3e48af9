/**
 * Creates as Mastodon sends them, from writers whose keys are known and whom people here follow: signed before the window
 * opens, and counted when the status is readable through the API. Beside it, what verifying their signatures alone costs.
 */
import { createPublicKey, sign, verify } from 'node:crypto';
import { openFleet } from '../fleet/fleet.ts';
import { openHttpLoad } from '../generators/http-load.ts';
import { costOf, type Window } from '../measure/pairs.ts';
import { median } from '../measure/statistics.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { correspondenceSeed, firstDeliveries, type Writer } from '../seed/correspondence.ts';
import { receiveCreates } from './inbound-window.ts';
import { percent, stopAll } from './words.ts';

const name = 'inbound';
const perCpuSecondAtLeast = 4_000;
const verifications = 2_000;

export const inboundScenario: Scenario = {
  name,
  summary: 'inbound Creates as Mastodon sends them, until they are readable',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(correspondenceSeed(size.correspondence));
    const cores = coresOfPinnedRun();
    // The writers' servers are there: what was said to them at the start finds somebody.
    const fleet = await openFleet(size.correspondence.servers, size.correspondence.port, cores.generator);
    const server = await startServer({ dataDirectory: data.dataDirectory, core: cores.measured, profileFolder });
    const load = openHttpLoad(cores.generator);
    try {
      await fleet.quiet(firstDeliveries(size.correspondence), size.quietMilliseconds);
      const windows: Window[] = [];
      for (let number = 0; number < size.inboundWarmUps + size.pairs; number += 1) {
        if (number === size.inboundWarmUps) server.toggleProfile();
        const window = await receiveCreates({ size, server, load, facts: data.facts }, number);
        if (number >= size.inboundWarmUps) windows.push(window);
        samples.write({ scenario: name, kind: number < size.inboundWarmUps ? 'warm-up' : 'window', ...window });
      }
      server.toggleProfile();
      return [figureOf(windows, data.facts.writers[0]!)];
    } finally {
      await stopAll(load, server, fleet);
      data.remove();
    }
  },
};

function figureOf(windows: readonly Window[], writer: Writer): Figure {
  const perCpuSecond = windows.map((window) => 1_000_000 / costOf(window));
  return {
    what: 'inbound Creates as Mastodon sends them, until readable',
    measured: median(perCpuSecond),
    unit: 'a CPU second',
    lowest: Math.min(...perCpuSecond),
    highest: Math.max(...perCpuSecond),
    target: { atLeast: perCpuSecondAtLeast },
    beside: `a bare RSA-2048 verification ${verificationMicroseconds(writer).toFixed(1)} µs; generator busy ${percent(Math.max(...windows.map(({ busyShare }) => busyShare ?? 0)))}`,
  };
}

function verificationMicroseconds({ privateKeyPem }: Writer): number {
  const text = Buffer.alloc(220, 'x');
  const signature = sign('sha256', text, privateKeyPem);
  const publicKey = createPublicKey(privateKeyPem);
  const cpu = process.cpuUsage();
  for (let count = 0; count < verifications; count += 1) verify('sha256', text, publicKey, signature);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / verifications;
}
