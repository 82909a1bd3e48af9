/** Asks network threads for what the relay needs of other servers: they divide the hosts. */

import { slotOfKey } from '../runtime/ids.ts';
import { counter } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Placement } from '../runtime/ports.ts';
import {
  type RelayLaneReport,
  type RelayNetwork,
  relayActorTopic,
  relayDoctorTopic,
  relayLanesTopic,
  relayObjectTopic,
  relayReceptions,
} from './relay.ts';
import type { AskNetwork } from './resolver.ts';

const receptions = counter({
  name: 'relay_received',
  labels: ['outcome'],
  help: 'Requests to the inbox of the relay, by what became of them',
});

interface NetworkRelayOptions {
  readonly placement: Pick<Placement, 'networkOf'>;
  readonly networkThreads: number;
  readonly metrics: Metrics | undefined;
}

export function networkRelay(ask: AskNetwork, options: NetworkRelayOptions): RelayNetwork {
  const { placement, networkThreads, metrics } = options;
  const threadOf = (address: string) => placement.networkOf(slotOfKey(URL.parse(address)?.host ?? ''));
  const counters = metrics && new Map(relayReceptions.map((what) => [what, metrics.counter(receptions, what)]));
  return {
    actor: (address, fresh) => ask(threadOf(address), relayActorTopic, { address, fresh }),
    object: (address) => ask(threadOf(address), relayObjectTopic, { address }),
    async lanes() {
      const threads = Array.from({ length: networkThreads }, (_, index) => index);
      const reports = await Promise.all(threads.map((index) => ask<RelayLaneReport[]>(index, relayLanesTopic, {})));
      return reports.flat();
    },
    examine: (host) => ask(placement.networkOf(slotOfKey(host)), relayDoctorTopic, { host }),
    received: (what) => counters?.get(what)?.add(),
  };
}
