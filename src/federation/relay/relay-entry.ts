/** One activity of the relay's log in memory, and what lanes ask of it. */
import type { LoggedRelay } from '../../actors/relay/relay.queries.ts';
import type { LogEntry, PreparedEntry } from '../../outbound/lanes/log.ts';
import { digestOfName } from '../../runtime/ids.ts';
import { hostOf } from '../documents/values.ts';
import { passes } from './relay-filter.ts';
import type { RelayReceivers } from './relay-receivers.ts';

export const relayDrops = ['too old', 'overwritten', 'filtered'] as const;
/** Why a subscriber does not get something. */
export type RelayDrop = (typeof relayDrops)[number];

/** What all entries share. */
export interface RelaySource {
  readonly receivers: RelayReceivers;
  now(): number;
  prepare(entry: RelayEntry): PreparedEntry;
  /** A subscriber does not get an entry; `number` is that of its lane. */
  dropped(number: number, why: RelayDrop): void;
}

/** The memory of an entry besides its texts. */
const entryBytes = 500;
const nowhere: readonly string[] = [];
const nobody: readonly number[] = [];

/**
 * Lanes ask for its targets when its turn has come. What is too old by then costs no request: an entry never expires for
 * the lanes, so that they ask.
 */
export class RelayEntry implements LogEntry {
  readonly logged: LoggedRelay;
  /** Activities of an author reach a server in order. */
  readonly orderKey: bigint;
  readonly isFirstOfOrder = false;
  readonly expiresAt = Number.POSITIVE_INFINITY;
  readonly urgentAt = nobody;
  previous = 0;
  private readonly source: RelaySource;
  private readonly authorHost: string;

  constructor(logged: LoggedRelay, source: RelaySource) {
    this.logged = logged;
    this.source = source;
    this.orderKey = digestOfName(logged.author).readBigUInt64BE();
    this.authorHost = hostOf(logged.author) ?? '';
  }

  get sequence(): number {
    return this.logged.sequence;
  }

  get bytes(): number {
    const { id, author, object, body } = this.logged;
    return entryBytes + id.length + author.length + object.length + (body?.byteLength ?? 0);
  }

  /** A post that was deleted again before a server got it need not reach it. */
  supersedes(earlier: LogEntry): 'both' | 'earlier' | undefined {
    if (this.logged.type !== 'Delete' || !(earlier instanceof RelayEntry)) return undefined;
    if (earlier.logged.object !== this.logged.object) return undefined;
    return earlier.logged.type === 'Create' ? 'both' : 'earlier';
  }

  /** Whether it goes there as received, not as an announcement. */
  isForwardedTo(number: number): boolean {
    return this.logged.body !== undefined && this.source.receivers.all.get(number)?.takesAnnouncements === false;
  }

  targetsAt(number: number): readonly string[] {
    const { source, logged } = this;
    const authorHost = this.authorHost;
    const receiver = source.receivers.all.get(number);
    if (receiver === undefined || receiver.host === logged.from || receiver.host === authorHost) return nowhere;
    if (logged.expiresAt < source.now()) return this.drop(number, 'too old');
    if (!passes(receiver.takes, logged, authorHost)) return this.drop(number, 'filtered');
    // An announcement tells of a post, and of nothing else.
    const isAnnounced = receiver.takesAnnouncements || logged.body === undefined;
    if (isAnnounced && logged.type !== 'Create' && logged.type !== 'Announce') return nowhere;
    return [receiver.inbox];
  }

  prepare(): PreparedEntry {
    return this.source.prepare(this);
  }

  private drop(number: number, why: RelayDrop): readonly string[] {
    this.source.dropped(number, why);
    return nowhere;
  }
}
