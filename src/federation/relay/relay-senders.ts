/** Whose posts the relay takes: subscriptions as read once, and anew where something changes. */
import { cacheables } from '../../actors/cacheables.ts';
import { findSubscription } from '../../actors/relay/relay.queries.ts';
import type { RelayFilter, Subscription } from '../../actors/relay/relay.records.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { Services } from '../../services/services.ts';

export interface RelaySender {
  /** The host[:port] of the subscriber. */
  readonly host: string;
  /** The actor of the server itself; absent where it has never asked. */
  readonly server: string | undefined;
  readonly gives: RelayFilter | undefined;
}

type SenderServices = Pick<Services, 'snapshots' | 'events' | 'caches'>;

const senderBytes = 300;

export class RelaySenders {
  private readonly services: SenderServices;
  private readonly senders: SizedMap<string, RelaySender>;

  constructor(services: SenderServices) {
    const { caches, events } = services;
    this.services = services;
    this.senders = new SizedMap<string, RelaySender>({
      bytesMax: caches.bytesMax('relaySenders'),
      bytesOf: ({ gives }) => senderBytes + (gives === undefined ? 0 : JSON.stringify(gives).length),
    });
    caches.measure('relaySenders', this.senders);
    events.onInvalidation(cacheables.relaySubscription, (host) => this.senders.delete(host));
    events.onLoss(() => this.senders.clear());
  }

  /** Undefined for a server that does not subscribe: that is never remembered, for it may have just begun. */
  find(host: string): RelaySender | undefined {
    const known = this.senders.get(host);
    if (known !== undefined) return known;
    const sender = senderOf(findSubscription(this.services.snapshots, host));
    if (sender !== undefined) this.senders.set(host, sender);
    return sender;
  }
}

function senderOf(subscription: Subscription | undefined): RelaySender | undefined {
  if (subscription?.state !== 'active') return undefined;
  const { host, follower, gives } = subscription;
  return { host, server: follower?.actor, gives };
}
