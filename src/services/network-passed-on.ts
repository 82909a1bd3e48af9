/** Asks network threads for what others pass on, and counts it. */
import { slotOfKey } from '../runtime/ids.ts';
import { counter } from '../runtime/metrics/metric.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Placement } from '../runtime/ports.ts';
import { type PassedOnNetwork, passedOnOutcomes, passers, relayedStatusTopic } from './passed-on.ts';
import type { AskNetwork } from './resolver.ts';
import { documentRefusals } from './signed-documents.ts';

const received = counter({
  name: 'passed_on_activities',
  labels: ['by', 'outcome'],
  help: 'Activities of others that relays or servers passed on to this one, by what became of them',
});
const refused = counter({
  name: 'document_signatures_refused',
  labels: ['reason'],
  help: 'Signatures of passed on activities that proved nothing, by the reason',
});

export function networkPassedOn(
  ask: AskNetwork,
  { placement, metrics }: { readonly placement: Pick<Placement, 'networkOf'>; readonly metrics: Metrics | undefined },
): PassedOnNetwork {
  const counters = new Map(
    passers.flatMap((by) =>
      passedOnOutcomes.map((outcome) => [`${by} ${outcome}`, metrics?.counter(received, by, outcome)] as const),
    ),
  );
  const refusals = new Map(documentRefusals.map((reason) => [reason, metrics?.counter(refused, reason)] as const));
  return {
    fetchRelayed: (uri) => ask(placement.networkOf(slotOfKey(URL.parse(uri)?.host ?? '')), relayedStatusTopic, { uri }),
    count: (by, outcome) => counters.get(`${by} ${outcome}`)?.add(),
    countRefused: (reason) => refusals.get(reason)?.add(),
  };
}
