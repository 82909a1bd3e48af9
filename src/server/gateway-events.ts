/** The events that gateways need: caches and streams follow all of them but those that are for lanes alone. */
import { eventTypes } from '../actors/events.ts';
import { deliveryAppended, mailAppended, pushAppended } from '../actors/partition/partition.events.ts';
import { relayAppended } from '../actors/relay/relay.events.ts';

const ofLanes: ReadonlySet<number> = new Set(
  [deliveryAppended, pushAppended, mailAppended, relayAppended].map(({ number }) => number),
);

export const gatewayEvents: readonly number[] = [...eventTypes.keys()].filter((number) => !ofLanes.has(number));
