/** Asks network threads about subscribed lists of domains: they divide the hosts. */
import { slotOfKey } from '../runtime/ids.ts';
import type { Placement } from '../runtime/ports.ts';
import { type DomainListNetwork, tryDomainListTopic } from './domain-lists.ts';
import type { AskNetwork } from './resolver.ts';

export function networkDomainLists(ask: AskNetwork, placement: Pick<Placement, 'networkOf'>): DomainListNetwork {
  return {
    try: (list) =>
      ask(placement.networkOf(slotOfKey(URL.parse(list.settings.url)?.host ?? '')), tryDomainListTopic, list),
  };
}
