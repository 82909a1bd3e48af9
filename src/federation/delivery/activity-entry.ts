/** One delivery of a partition's log, in memory: an intent, the inboxes that it goes to, and what lanes ask of it. */
import { inboxesAt, type LoggedDelivery } from '../../actors/partition/deliveries.queries.ts';
import type { LogEntry, PreparedEntry } from '../../outbound/lanes/log.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { SynchronizationHeaders } from './followers-digests.ts';
import { isFirstOfItsKind, isUrgent, lifetimeMillisecondsOf, orderKeyOf, superseded } from './intent-rules.ts';

/** The rendered activity, the same for all hosts. */
export interface PreparedActivity extends PreparedEntry {
  readonly body: Buffer;
  /** The `Digest` header. */
  readonly digest: string;
  readonly signer: RequestSigner;
  /** Of a post to followers: further headers, which tell a server who of it follows. */
  readonly headersAt?: SynchronizationHeaders | undefined;
}

/** What all entries of one log share. */
export interface ActivitySource {
  /** Of the partition. */
  readonly reader: Reader;
  readonly activities: {
    prepare(entry: ActivityEntry): PreparedActivity | Promise<PreparedActivity | undefined> | undefined;
  };
}

export interface Inboxes {
  readonly all: readonly string[];
  /** The one among them that stands for the whole host. */
  readonly shared: string | undefined;
}

/** About the memory of an entry, and of each inbox listed in it (measured). */
const entryBytes = 450;
const inboxBytes = 150;

const nobody: readonly number[] = [];

export class ActivityEntry implements LogEntry {
  readonly sequence: number;
  readonly intent: LoggedDelivery['intent'];
  readonly followersOf: bigint | undefined;
  /** The traced request that caused it. */
  readonly cause: string | undefined;
  previous = 0;
  /** Set by PreparedActivities, as long as its memory allows. */
  prepared: PreparedActivity | undefined = undefined;
  readonly at: number;
  private readonly single: LoggedDelivery['single'];
  /** Numbers of the hosts of accounts that are addressed by name. */
  private readonly addressed: readonly number[];
  private readonly source: ActivitySource;

  constructor({ sequence, at, intent, followersOf, single, addressed, cause }: LoggedDelivery, source: ActivitySource) {
    this.sequence = sequence;
    this.at = at;
    this.intent = intent;
    this.followersOf = followersOf;
    this.single = single;
    this.addressed = addressed;
    this.cause = cause;
    this.source = source;
  }

  get bytes(): number {
    let bytes = entryBytes + this.addressed.length * 8;
    for (const { inbox } of this.single) bytes += inboxBytes + inbox.length;
    for (const value of Object.values(this.intent)) if (typeof value === 'string') bytes += value.length;
    return bytes;
  }

  get orderKey(): bigint {
    return orderKeyOf(this.intent);
  }

  get isFirstOfOrder(): boolean {
    return isFirstOfItsKind(this.intent.kind);
  }

  get expiresAt(): number {
    return this.at + lifetimeMillisecondsOf(this.intent.kind);
  }

  get urgentAt(): readonly number[] {
    return isUrgent(this.intent.kind) ? this.addressed : nobody;
  }

  supersedes(earlier: LogEntry): 'both' | 'earlier' | undefined {
    return earlier instanceof ActivityEntry ? superseded(this.intent, earlier.intent) : undefined;
  }

  targetsAt(host: number): readonly string[] {
    return this.inboxesAt(host).all;
  }

  /** The inboxes of one host: those of its followers of the account, and single ones. */
  inboxesAt(host: number): Inboxes {
    const all: string[] = [];
    let shared: string | undefined;
    if (this.followersOf !== undefined) {
      for (const { inbox, followers } of inboxesAt(this.source.reader, this.followersOf, host)) {
        all.push(inbox);
        if (followers > 1) shared = inbox;
      }
    }
    for (const single of this.single) if (single.host === host && !all.includes(single.inbox)) all.push(single.inbox);
    return { all, shared };
  }

  prepare(): PreparedActivity | Promise<PreparedActivity | undefined> | undefined {
    return this.prepared ?? this.source.activities.prepare(this);
  }
}
