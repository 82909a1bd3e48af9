/** Asks all network threads for the state of their deliveries: they divide the hosts. */
import { type DeliveryLanes, type LaneReport, lanesTopic } from './delivery-lanes.ts';
import type { AskNetwork } from './resolver.ts';

export function networkLanes(ask: AskNetwork, networkThreads: number): DeliveryLanes {
  return {
    async reports() {
      const threads = Array.from({ length: networkThreads }, (_, index) => ask<LaneReport[]>(index, lanesTopic, {}));
      return (await Promise.all(threads)).flat();
    },
  };
}
