/** Asks network threads for the state of their deliveries, and tells them who is heard from: they divide the hosts. */
import { isTemporary } from '../runtime/errors.ts';
import { slotOfKey } from '../runtime/ids.ts';
import type { Placement, Problem } from '../runtime/ports.ts';
import {
  type AskedHosts,
  type DeliveryLanes,
  heardFromTopic,
  type LaneReport,
  lanesOfHostsTopic,
  lanesTopic,
  type RetriedHosts,
  retryTopic,
} from './delivery-lanes.ts';
import type { AskNetwork } from './resolver.ts';

export interface NetworkLanesOptions {
  readonly placement: Pick<Placement, 'networkOf'>;
  readonly networkThreads: number;
  report(problem: Problem): void;
}

export function networkLanes(ask: AskNetwork, options: NetworkLanesOptions): DeliveryLanes {
  const { placement, networkThreads, report } = options;
  const tell = async (host: string): Promise<void> => {
    try {
      await ask(placement.networkOf(slotOfKey(host)), heardFromTopic, host);
    } catch (error) {
      // Lost: the host is heard from again.
      if (!isTemporary(error))
        report({ level: 'error', message: `the deliveries to ${host} were not informed`, error });
    }
  };
  const askAll = <Reply>(topic: string, request: unknown): Promise<Reply[]> =>
    Promise.all(Array.from({ length: networkThreads }, (_, index) => ask<Reply>(index, topic, request)));
  return {
    reports: async () => (await askAll<LaneReport[]>(lanesTopic, {})).flat(),
    async ofHosts(hosts) {
      const request: AskedHosts = { hosts };
      return (await askAll<LaneReport[]>(lanesOfHostsTopic, request)).flat();
    },
    async retry(host) {
      const request: RetriedHosts = { host };
      const tried = await askAll<number>(retryTopic, request);
      return tried.reduce((sum, hosts) => sum + hosts, 0);
    },
    heardFrom: (host) => void tell(host),
  };
}
