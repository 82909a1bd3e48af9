/** Who gets what the relay passes on: read once for each thread, and anew where something changes. */
import { cacheables } from '../../actors/cacheables.ts';
import { allSubscriptions, findSubscription } from '../../actors/relay/relay.queries.ts';
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
  readonly takesShared: boolean | undefined;
}

export class RelayReceivers {
  private readonly reader: Reader;
  /** By the numbers of subscriptions; undefined while they are to be read. */
  private receivers: Map<number, Receiver> | undefined;
  private readonly numbers = new Map<string, number>();
  /** Hosts whose subscriptions have changed since they were read. */
  private readonly changed = new Set<string>();

  constructor(reader: Reader, events: Pick<EventHub, 'onInvalidation' | 'onLoss'>) {
    this.reader = reader;
    events.onInvalidation(cacheables.relaySubscription, (host) => this.changed.add(host));
    events.onLoss(() => {
      this.receivers = undefined;
    });
  }

  get all(): ReadonlyMap<number, Receiver> {
    const receivers = this.receivers ?? this.readAll();
    if (this.changed.size > 0) this.readChanged(receivers);
    return receivers;
  }

  numberOf(host: string): number | undefined {
    return this.all.has(this.numbers.get(host) ?? 0) ? this.numbers.get(host) : undefined;
  }

  /** Known before it is stored. */
  learn(number: number, takesShared: boolean): void {
    const receiver = this.all.get(number);
    if (receiver !== undefined) this.receivers?.set(number, { ...receiver, takesShared });
  }

  private readAll(): Map<number, Receiver> {
    const receivers = new Map<number, Receiver>();
    this.receivers = receivers;
    this.changed.clear();
    this.numbers.clear();
    for (const subscription of allSubscriptions(this.reader)) this.take(receivers, subscription);
    return receivers;
  }

  private readChanged(receivers: Map<number, Receiver>): void {
    for (const host of this.changed) {
      const number = this.numbers.get(host);
      if (number !== undefined) receivers.delete(number);
      this.numbers.delete(host);
      const subscription = findSubscription(this.reader, host);
      if (subscription !== undefined) this.take(receivers, subscription);
    }
    this.changed.clear();
  }

  private take(receivers: Map<number, Receiver>, subscription: Subscription): void {
    const receiver = receiverOf(subscription);
    if (receiver === undefined) return;
    receivers.set(subscription.number, receiver);
    this.numbers.set(receiver.host, subscription.number);
  }
}

function receiverOf({ host, state, follower, from = 0, takes, takesShared }: Subscription): Receiver | undefined {
  if (state !== 'active' || follower === undefined) return undefined;
  return { host, inbox: follower.postsInbox, takesAnnouncements: follower.form === 'actor', from, takes, takesShared };
}
