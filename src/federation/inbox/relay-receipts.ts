/**
 * Counts what joined relays bring to this thread, and tells the relay actor some seconds later: one message, however much
 * came. What was counted since is lost where the process ends before.
 */
import type { JoinedReceipts } from '../../actors/relay/joined/joined.records.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import { member } from '../../services/members.ts';
import type { PassedOnOutcome } from '../../services/passed-on.ts';
import type { Services } from '../../services/services.ts';
import { ignoreFailure } from '../failures.ts';
import { activityLimits } from '../limits.ts';

type Receipt = Exclude<keyof JoinedReceipts, 'received' | 'lastAt'>;

/** Of a change of what is not here, and of what is here already, nothing else is counted. */
const receiptOf: Readonly<Record<PassedOnOutcome, Receipt | undefined>> = {
  applied: 'taken',
  fetched: 'taken',
  repeated: undefined,
  unwanted: undefined,
  unproved: 'refused',
  'not public': 'refused',
  suspended: 'refused',
  'other type': 'refused',
  shed: 'shed',
};

type Counts = { -readonly [Name in keyof JoinedReceipts]: JoinedReceipts[Name] };

interface ReceiptServices extends Pick<Services, 'now' | 'report'> {
  readonly client: Pick<Services['client'], 'call'>;
}

export class RelayReceipts {
  private readonly services: ReceiptServices;
  /** By the id of the relay; empty while nothing is to be told. */
  private counts = new Map<bigint, Counts>();

  constructor(services: ReceiptServices) {
    this.services = services;
  }

  count(relay: bigint, outcome: PassedOnOutcome): void {
    const receipt = receiptOf[outcome];
    const counts = this.countsOf(relay);
    counts.received += 1;
    counts.lastAt = this.services.now();
    if (receipt !== undefined) counts[receipt] += 1;
  }

  /** Settles when what was counted is stored. */
  async tell(): Promise<void> {
    const relays = Array.from(this.counts, ([id, counts]) => ({ id, ...counts }));
    this.counts = new Map();
    if (relays.length > 0) await this.services.client.call(Relay.brought.to(relayKey, { relays }), 'system');
  }

  private countsOf(relay: bigint): Counts {
    const known = this.counts.get(relay);
    if (known !== undefined) return known;
    if (this.counts.size === 0) this.tellLater();
    const made = { received: 0, taken: 0, refused: 0, shed: 0, lastAt: 0 };
    this.counts.set(relay, made);
    return made;
  }

  private tellLater(): void {
    const { report } = this.services;
    const failed = (error: unknown) =>
      report({ level: 'error', message: 'what relays have brought could not be counted', error });
    setTimeout(() => {
      // Lost where the owner is away: nothing but a count.
      void this.tell().catch(ignoreFailure).catch(failed);
    }, activityLimits.relayReceiptsMilliseconds).unref();
  }
}

export const relayReceiptsOf = member((services: ReceiptServices) => new RelayReceipts(services));
