/**
 * The ports of the runtime: everything through which a partition touches the outside. Each has a real implementation
 * (threads/) and one for tests (test/support/partition-host.ts), so that whole servers can run in one thread and under
 * a seed.
 */

import type { ActorKey, Envelope } from './contract.ts';
import type { WireFailure } from './errors.ts';
import type { EventRecipients, PublishedEvents } from './events/event.ts';
import type { StoredLetter } from './letters.ts';
import type { PartitionLog } from './storage/log.ts';
import type { ReplyHandle } from './storage/machine.ts';
import type { Trace } from './tracing/trace.ts';

/**
 * What is stored, shown, or due at a date goes by the wall clock. Everything that lasts (a pause, a deadline, a slice, an
 * age) is measured with the monotonic clock.
 */
export interface Clock {
  /**
   * The wall clock, in milliseconds since 1970. It may be set ahead or back at any moment; partitions hear of it soon
   * afterwards (`Partition.clockSet`).
   */
  now(): number;
  /** In milliseconds since some moment that is the same in all threads of the process; nobody sets it. */
  monotonic(): number;
}

export interface RandomSource {
  bytes(count: number): Uint8Array;
}

export type CallResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: WireFailure };

/** A commit of a partition. Whoever has received one reads nothing older. */
export interface CommitPosition {
  readonly partition: number;
  readonly commit: number;
}

/** The messages of one commit for one other partition. */
export interface Frame {
  readonly source: number;
  readonly destination: number;
  readonly sequence: number;
  /** The exact bytes of the outbox record (partition/frame-record.ts), and their digest. */
  readonly bytes: Uint8Array;
  readonly digest: number;
  /** The last frame of this channel that the sender knows to be acknowledged. */
  readonly acknowledged: number;
  /** True for frames stored by an earlier run, perhaps of an older version: their bodies are validated again. */
  readonly recovered: boolean;
}

/** Everything of `source` up to frame `sequence` is durable at `destination`. */
export interface Acknowledgement {
  readonly source: number;
  readonly destination: number;
  readonly sequence: number;
  /** The digest of that frame; undefined where an earlier version took it. */
  readonly digest: number | undefined;
}

export interface Problem {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly error?: unknown;
}

/** Records what runs, so that a message that kills its thread can be identified. */
export interface TurnWatch {
  /** False for a message that must not run; otherwise `end` follows. */
  begin(envelope: Envelope): boolean;
  end(failed: boolean): void;
}

export interface PartitionPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: PartitionLog;
  /** May lose, repeat and delay; order is restored by sequence numbers. */
  sendFrame(frame: Frame): void;
  acknowledge(acknowledgement: Acknowledgement): void;
  /** `position`: the commit that the reply waited for; none where nothing ran. `bytes`: about its size. */
  reply(handle: ReplyHandle, result: CallResult, position?: CommitPosition, bytes?: number): void;
  /** All effects of one actor (`asker`) run on one thread, started in the order of asking. */
  runEffect(
    partition: number,
    sequence: number,
    effect: number,
    request: unknown,
    asker: ActorKey,
    cause: string | undefined,
  ): void;
  /** Writes dead letters to the partition's file; `done` is called once they are on disk, or with the error. */
  archiveLetters(letters: readonly StoredLetter[], done: (error: Error | undefined) => void): void;
  /** `recipients` is undefined where they are not known: listeners that depend on them have missed something. */
  publish(batch: PublishedEvents, recipients: readonly EventRecipients[] | undefined): void;
  /** A record was deleted by command, of which no event tells: every listener forgets what it has read. */
  publishGap(): void;
  /** Runs the callback soon, after the thread's other pending work. */
  defer(callback: () => void): void;
  /** Requests a call of `wake` after this time; only the last request counts. */
  wakeIn(milliseconds: number): void;
  report(problem: Problem): void;
  readonly watch?: TurnWatch;
  /** Where requests are traced. */
  readonly trace?: Trace | undefined;
}

/**
 * Where everything lives and who serves it. Code that needs this is given a placement and computes nothing by itself.
 */
export interface Placement {
  readonly partitions: number;
  partitionOf(slot: number): number;
  /** The owner thread of a partition, and the epoch in which it opens the log. */
  ownerOf(partition: number): number;
  epochOf(partition: number): number;
  /**
   * The network thread that serves a slot: effects of its actors, delivery lanes of its hosts, questions about them.
   */
  networkOf(slot: number): number;
}
