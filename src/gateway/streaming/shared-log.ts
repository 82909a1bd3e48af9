/**
 * The event logs as replays read them: what one replay has read and decoded, the others take from here. After a restart
 * or a loss of connections thousands of clients resume from nearly the same position. Kept only while replays run.
 *
 * INVARIANT: what is kept of a partition is a part of its log without holes. The log is append-only, so it never changes.
 */
import { readLogged } from '../../actors/events.ts';
import type { LoggedEvent } from '../../runtime/events/event.ts';
import { eventsFrom } from '../../runtime/events/event-log.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { StreamFrame } from './frame.ts';
import { streamLimits } from './limits.ts';
import type { Payload } from './payloads.ts';
import { type StreamEvent, streamEventOf } from './stream-events.ts';

/** One event of the log. */
export class SharedEvent {
  /** `unknown`: this version does not know what it is. Undefined: no stream carries it. */
  readonly event: StreamEvent | 'unknown' | undefined;
  /** The last frame that was made of it, by the id that it has: most replays need the same. */
  private last: { readonly id: string; readonly payload: Payload; readonly frame: StreamFrame } | undefined;

  constructor(logged: LoggedEvent) {
    const known = readLogged(logged);
    this.event = known === undefined ? 'unknown' : streamEventOf(known);
  }

  /** `id` is that of the event in the stream. */
  frame({ name, status }: StreamEvent, payload: Payload, id: string): StreamFrame {
    if (this.last?.payload === payload && this.last.id === id) return this.last.frame;
    const frame = new StreamFrame(name, payload, { own: id, merged: id }, status?.id);
    this.last = { id, payload, frame };
    return frame;
  }
}

export interface SharedBatch {
  readonly commit: number;
  readonly events: readonly SharedEvent[];
}

interface Part {
  /** Everything from this commit on is kept, up to the last batch. */
  from: number;
  batches: SharedBatch[];
  /** Nothing more is kept. */
  isFull: boolean;
}

type Reading = Pick<GatewayServices, 'snapshots' | 'client'>;

export class SharedLog {
  private readonly services: Reading;
  private readonly parts = new Map<number, Part>();
  private events = 0;

  constructor(services: Reading) {
    this.services = services;
  }

  /** Call when no replay is left. */
  clear(): void {
    this.parts.clear();
    this.events = 0;
  }

  /** Batches of a partition from a commit on, oldest first. Throws Failure storageUnavailable. */
  *from(partition: number, commit: number): Generator<SharedBatch> {
    const part = this.parts.get(partition) ?? this.begin(partition, commit);
    if (commit < part.from) this.prepend(partition, part, commit);
    if (commit < part.from) {
      yield* this.read(partition, commit);
      return;
    }
    let next = commit;
    for (let index = firstFrom(part.batches, commit); index < part.batches.length; index += 1) {
      next = part.batches[index]!.commit + 1;
      yield part.batches[index]!;
    }
    const isAdjacent = next <= (part.batches.at(-1)?.commit ?? part.from - 1) + 1;
    let last = part.batches.at(-1);
    for (const batch of this.read(partition, next)) {
      // Another replay may have read further while this one was interrupted.
      if (isAdjacent && part.batches.at(-1) === last && this.hasRoomFor(part, batch)) part.batches.push(batch);
      last = batch;
      yield batch;
    }
  }

  private begin(partition: number, from: number): Part {
    const part: Part = { from, batches: [], isFull: false };
    this.parts.set(partition, part);
    return part;
  }

  private prepend(partition: number, part: Part, commit: number): void {
    const before: SharedBatch[] = [];
    for (const batch of this.read(partition, commit)) {
      if (batch.commit >= part.from) break;
      if (!this.hasRoomFor(part, batch)) return;
      before.push(batch);
    }
    part.batches = [...before, ...part.batches];
    part.from = commit;
  }

  private hasRoomFor(part: Part, { events }: SharedBatch): boolean {
    part.isFull ||= this.events + events.length > streamLimits.replayEventsSharedMax;
    if (!part.isFull) this.events += events.length;
    return !part.isFull;
  }

  private *read(partition: number, commit: number): Generator<SharedBatch> {
    const { snapshots, client } = this.services;
    const damageMet = (key: Uint8Array) => client.damageMet(partition, key);
    for (const batch of eventsFrom(snapshots.partitions[partition]!, partition, commit, damageMet))
      yield { commit: batch.commit, events: batch.events.map((event) => new SharedEvent(event)) };
  }
}

/** The index of the first batch from the commit on. */
function firstFrom(batches: readonly SharedBatch[], commit: number): number {
  let [low, high] = [0, batches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (batches[middle]!.commit < commit) low = middle + 1;
    else high = middle;
  }
  return low;
}
