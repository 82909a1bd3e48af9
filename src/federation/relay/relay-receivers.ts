/** Who gets what the relay passes on: read once for each thread, and again after a change. */
import { cacheables } from '../../actors/cacheables.ts';
import { allSubscriptions } from '../../actors/relay/relay.queries.ts';
import type { RelayFilter, Subscription } from '../../actors/relay/relay.records.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { EventHub } from '../../services/event-hub.ts';

export interface Receiver {
  readonly host: string;
  readonly inbox: string;
  /** Takes announcements only (LitePub). */
  readonly takesAnnouncements: boolean;
  readonly from: number;
  readonly takes: RelayFilter | undefined;
}

interface Known {
  /** By the number of the subscription. */
  readonly receivers: ReadonlyMap<number, Receiver>;
  readonly numbers: ReadonlyMap<string, number>;
}

export class RelayReceivers {
  private readonly reader: Reader;
  private known: Known | undefined;

  constructor(reader: Reader, events: Pick<EventHub, 'onInvalidation' | 'onLoss'>) {
    this.reader = reader;
    const forget = () => {
      this.known = undefined;
    };
    events.onInvalidation(cacheables.relaySubscriptions, forget);
    events.onLoss(forget);
  }

  get all(): ReadonlyMap<number, Receiver> {
    return this.read().receivers;
  }

  numberOf(host: string): number | undefined {
    return this.read().numbers.get(host);
  }

  private read(): Known {
    if (this.known !== undefined) return this.known;
    const receivers = new Map<number, Receiver>();
    for (const subscription of allSubscriptions(this.reader)) {
      const receiver = receiverOf(subscription);
      if (receiver !== undefined) receivers.set(subscription.number, receiver);
    }
    const numbers = new Map(Array.from(receivers, ([number, { host }]) => [host, number]));
    this.known = { receivers, numbers };
    return this.known;
  }
}

function receiverOf({ host, state, follower, from = 0, takes }: Subscription): Receiver | undefined {
  if (state !== 'active' || follower === undefined) return undefined;
  return { host, inbox: follower.postsInbox, takesAnnouncements: follower.form === 'actor', from, takes };
}
