/** One message of a partition's push log, in memory, and what lanes ask of it. */
import type { LoggedPush } from '../../actors/partition/pushes.queries.ts';
import type { LogEntry, PreparedEntry } from '../lanes/log.ts';

type Prepared = PreparedEntry | Promise<PreparedEntry | undefined> | undefined;

/** Makes messages; PushMessages. */
export interface PushSource {
  prepare(entry: PushEntry): Prepared;
  /** The message had to make room in the log, and was not sent. */
  overwritten(): void;
}

/** The memory of an entry (measured as that of deliveries). */
const entryBytes = 400;
const nowhere: readonly number[] = [];

export class PushEntry implements LogEntry {
  readonly push: LoggedPush;
  readonly bytes = entryBytes;
  /** Messages may overtake each other: apps sort by the ids of notifications. */
  readonly orderKey: bigint;
  readonly isFirstOfOrder = true;
  readonly urgentAt = nowhere;
  previous = 0;
  /** Requests that were made for it. */
  attempts = 0;
  private readonly source: PushSource;

  constructor(push: LoggedPush, source: PushSource) {
    this.push = push;
    this.orderKey = BigInt(push.sequence);
    this.source = source;
  }

  get sequence(): number {
    return this.push.sequence;
  }

  get expiresAt(): number {
    return this.push.expiresAt;
  }

  supersedes(): undefined {
    return undefined;
  }

  targetsAt(): readonly string[] {
    return [String(this.push.subscriptionId)];
  }

  prepare(): Prepared {
    return this.source.prepare(this);
  }
}
