/** One delivery of a partition's log, in memory. */
import type { LoggedDelivery } from '../../actors/partition/deliveries.queries.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';

/** The rendered activity, the same for all hosts. */
export interface PreparedActivity {
  readonly body: Buffer;
  /** The `Digest` header. */
  readonly digest: string;
  readonly signer: RequestSigner;
}

export interface LogEntry {
  readonly sequence: number;
  readonly at: number;
  readonly intent: LoggedDelivery['intent'];
  readonly followersOf: bigint | undefined;
  readonly single: LoggedDelivery['single'];
  /** Numbers of the hosts that are served first. */
  readonly addressed: readonly number[];
  /** The traced request that caused it. */
  readonly cause: string | undefined;
  /** The latest earlier delivery with the same order key; 0 when none is known. */
  readonly previous: number;
  /** Set by PreparedActivities, as long as its memory allows. */
  prepared: PreparedActivity | undefined;
}

/** About the memory of an entry, and of each inbox listed in it (measured). */
const entryBytes = 450;
const inboxBytes = 150;

export function bytesOfEntry({ intent, single, addressed }: LogEntry): number {
  let bytes = entryBytes + addressed.length * 8;
  for (const { inbox } of single) bytes += inboxBytes + inbox.length;
  for (const value of Object.values(intent)) if (typeof value === 'string') bytes += value.length;
  return bytes;
}

export function entryOf(delivery: LoggedDelivery, previous: number): LogEntry {
  const { sequence, at, intent, followersOf, single, addressed, cause } = delivery;
  return { sequence, at, intent, followersOf, single, addressed, cause, previous, prepared: undefined };
}
