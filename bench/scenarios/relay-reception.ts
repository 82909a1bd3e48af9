/**
 * What a relay takes in: signed posts of a subscriber, verified, recognised as new and logged when they are answered, against a
 * bare handler that receives, parses and verifies them. Nobody else subscribes: nothing is delivered.
 */
import { openHttpLoad } from '../generators/http-load.ts';
import { openRemoteSender } from '../load/remote/sender.ts';
import { runPairs, type Window } from '../measure/pairs.ts';
import { cpuMicrosecondsOf } from '../measure/process-cpu.ts';
import { openChild } from '../processes/child.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { startServer } from '../processes/server.ts';
import type { Scenario } from '../scenario.ts';
import { relaySeed } from '../seed/relay.ts';
import { percent, stopAll } from './words.ts';

const name = 'relay-reception';
const activitiesPerWindow = 2_000;
const atLeast = 0.5;
/** The log is trimmed up to this long after the last answer. */
const progressMilliseconds = 1_300;

export const relayReceptionScenario: Scenario = {
  name,
  summary: 'posts that a relay takes in: verified, recognised as new and logged',
  async run({ size, seeds, samples, profileFolder }) {
    const { port } = size.correspondence;
    const data = await seeds.open(relaySeed({ servers: 0, port }));
    const cores = coresOfPinnedRun();
    const sender = await openRemoteSender(data.facts.sender, port);
    const environment = { MURMURATION_RELAY: 'only' };
    const server = await startServer({
      ...{ dataDirectory: data.dataDirectory, core: cores.measured, environment, profileFolder },
    });
    const bare = openChild(new URL('../references/bare-reception.ts', import.meta.url), { core: cores.measured });
    const load = openHttpLoad(cores.generator);
    let number = 0;
    /** Every request is of a post of its own, made before the window opens. */
    const window = async (to: { host: string; port: number; processId: number }, rest: number): Promise<Window> => {
      const requests = Array.from({ length: activitiesPerWindow }, () => {
        number += 1;
        return sender.signed(`${server.host}:${server.port}`, number);
      });
      await load.prepare({ ...to, connections: size.connections, requests });
      const before = cpuMicrosecondsOf(to.processId);
      const sent = await load.once();
      await new Promise((resolve) => setTimeout(resolve, rest));
      if (sent.failures > 0) throw new Error(`${sent.failures} activities were refused`);
      return { ...sent, cpuMicroseconds: cpuMicrosecondsOf(to.processId) - before };
    };
    try {
      const barePort = await bare.ask<number>('listen', { publicKeyPem: sender.publicKeyPem });
      const onServer = () => window(server, progressMilliseconds);
      const onBare = () => window({ host: server.host, port: barePort, processId: bare.processId }, 0);
      for (let warmUp = 0; warmUp < size.inboundWarmUps; warmUp += 1) {
        await onServer();
        await onBare();
      }
      server.toggleProfile();
      const runs = await runPairs(size.pairs, onServer, onBare);
      server.toggleProfile();
      for (const pair of runs.pairs) samples.write({ scenario: name, kind: 'pair', ...pair });
      return [
        {
          what: 'posts that a relay takes in',
          measured: runs.ratio,
          unit: 'of receiving, parsing and verifying alone',
          lowest: runs.lowest,
          highest: runs.highest,
          target: { atLeast },
          beside: `CPU ${runs.serverMicroseconds.toFixed(0)} µs a post, bare ${runs.referenceMicroseconds.toFixed(0)} µs; generator busy ${percent(runs.busyShare)}`,
        },
      ];
    } finally {
      sender.close();
      await stopAll(load, server, bare);
      data.remove();
    }
  },
};
