/** What a simulation runs: actors, the load on them, and the checkers that watch. */

import type { ActorImplementation, Envelope } from '../../src/runtime/contract.ts';
import type { EventBatch, EventRecipients } from '../../src/runtime/events/event.ts';
import type { StoredLetter } from '../../src/runtime/letters.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import type { Acknowledgement, CallResult, Frame, Problem } from '../../src/runtime/ports.ts';
import type { AnyKeyspace } from '../../src/runtime/storage/keyspace.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import type { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import type { SeededRandom } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface Call {
  readonly number: number;
  readonly envelope: Envelope;
  /** The latest time at which it may begin, by the monotonic clock of the world. */
  readonly deadline: number;
}

/** The part of the world that a workload can use. */
export interface Town {
  readonly random: SeededRandom;
  readonly timeline: Timeline;
  readonly partitions: number;
  /** True once the faults have stopped: the load must stop too. */
  readonly isCalm: boolean;
  /** The snapshots of a gateway: no older than the answers and events that it has received. */
  readonly snapshots: Snapshots;
  /** Calls an actor; `answered` is called once, with the reply, the refusal, or an unknown outcome. */
  call(envelope: Envelope, flow: string, answered: (result: CallResult) => void): Call;
  /**
   * Sends a request to a view of a partition and compares the answer with committed state: a string is a complaint.
   * Skipped while the partition is down or has not read its disk again.
   */
  control(
    partition: number,
    view: string,
    request: unknown,
    compare: (answer: unknown, disk: Reader) => Complaint,
  ): void;
  /** Whether the wall clock of this partition has shown this date since then (of the timeline), and was set back. */
  hasShown(partition: number, date: number, since: number): boolean;
  /** Ends the run. */
  complain(checker: string, complaint: string): void;
  /** A line of the trace that a failure prints. */
  note(line: string): void;
}

/** Undefined where all is well. */
export type Complaint = string | undefined;

/**
 * Watches a run. Each method is called before the named thing leaves its partition, whose state on disk is `disk`; a
 * returned string is a complaint and ends the run.
 */
export interface Checker {
  readonly name: string;
  frame?(frame: Frame, disk: Reader, destinationDisk: Reader): string | undefined;
  acknowledgement?(acknowledgement: Acknowledgement, disk: Reader): string | undefined;
  reply?(call: Call, result: CallResult, disk: Reader): string | undefined;
  effect?(sequence: number, effect: number, request: unknown, disk: Reader): string | undefined;
  published?(batch: EventBatch, disk: Reader, recipients: readonly EventRecipients[]): string | undefined;
  /** These dead letters are in the partition's file; they may be archived again. */
  archived?(partition: number, letters: readonly StoredLetter[], disk: Reader): string | undefined;
  /** A commit is on disk. */
  committed?(partition: number, disk: Reader): string | undefined;
  reported?(problem: Problem): string | undefined;
  /** A partition was opened with empty memory. */
  opened?(partition: number): undefined;
  /** A call has arrived at its partition. */
  arrived?(call: Call): undefined;
  /** The turn of a call begins. */
  runs?(call: Call): string | undefined;
  /** All work is done; gets the disks of all partitions. */
  finished?(disks: readonly Reader[]): string | undefined;
}

/** A gateway's view of committed events: in order, over links that end with the owner at their other end. */
export interface EventListener {
  heard(batch: EventBatch): Complaint;
  /** Events may have been missed. */
  lost(): void;
}

export interface Workload {
  readonly actors: readonly ActorImplementation[];
  readonly keyspaces: readonly AnyKeyspace[];
  readonly checkers: readonly Checker[];
  /** The views of one partition, created anew for each of its lives. */
  views?(partition: number): readonly PartitionView[];
  /** Handles the events that the gateway receives. */
  readonly listener?: EventListener;
  /** Plans the load on the timeline of the town. */
  start(): void;
  /** Runs an effect, perhaps several times. */
  runEffect(effect: number, request: unknown): unknown;
}

export type WorkloadFactory = (town: Town) => Workload;
