/** The relays that this server has joined, as each thread keeps them: few, and asked for with every activity of others. */
import { cacheables } from '../actors/cacheables.ts';
import { allJoinedRelays } from '../actors/relay/joined/joined.queries.ts';
import type { JoinedRelay } from '../actors/relay/joined/joined.records.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import { member } from './members.ts';

interface JoinedServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
}

export class JoinedRelays {
  private readonly snapshots: Reader;
  private read: readonly JoinedRelay[] | undefined;

  constructor({ snapshots, events }: JoinedServices) {
    this.snapshots = snapshots;
    events.onInvalidation(cacheables.joinedRelays, () => this.drop());
    events.onLoss(() => this.drop());
  }

  /** Also those that have not accepted. */
  get all(): readonly JoinedRelay[] {
    this.read ??= allJoinedRelays(this.snapshots);
    return this.read;
  }

  /** The relay of this actor, if it has accepted. */
  acceptedBy(actor: string): JoinedRelay | undefined {
    return this.all.find((relay) => relay.state === 'accepted' && relay.actor === actor);
  }

  isAt(host: string | undefined): boolean {
    return this.all.some((relay) => relay.host === host);
  }

  private drop(): void {
    this.read = undefined;
  }
}

export const joinedRelaysOf = member((services: JoinedServices) => new JoinedRelays(services));
