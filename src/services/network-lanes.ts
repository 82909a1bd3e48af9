/** Asks network threads for the state of their deliveries, and tells them who is heard from: they divide the hosts. */
import { isTemporary } from '../runtime/errors.ts';
import { slotOfKey } from '../runtime/ids.ts';
import type { Placement, Problem } from '../runtime/ports.ts';
import { type DeliveryLanes, heardFromTopic, type LaneReport, lanesTopic } from './delivery-lanes.ts';
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
  return {
    async reports() {
      const threads = Array.from({ length: networkThreads }, (_, index) => ask<LaneReport[]>(index, lanesTopic, {}));
      return (await Promise.all(threads)).flat();
    },
    heardFrom: (host) => void tell(host),
  };
}
