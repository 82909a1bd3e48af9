/**
 * Real partitions over memory logs in one thread, for tests of handlers and queries. Nothing runs on its own: `call`,
 * `settle` and `clock.advance` run everything there is to do, so a test is deterministic and never waits.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type {
  ActorImplementation,
  ActorKey,
  DeclaredActor,
  Envelope,
  HandlerEntry,
  MessageType,
} from '../../src/runtime/contract.ts';
import { Failure, fromWireFailure } from '../../src/runtime/errors.ts';
import type { EventBatch, EventType, LoggedEvent } from '../../src/runtime/events/event.ts';
import { isEvent } from '../../src/runtime/events/event.ts';
import type { LetterOrder, LetterOutcome } from '../../src/runtime/letters.ts';
import { Partition } from '../../src/runtime/partition/partition.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { evenPlacement, partitionOfEnvelope } from '../../src/runtime/placement.ts';
import type { CallResult, PartitionPorts, Problem } from '../../src/runtime/ports.ts';
import type { AnyKeyspace } from '../../src/runtime/storage/keyspace.ts';
import type { StorageReader } from '../../src/runtime/storage/log.ts';
import type { ReplyHandle } from '../../src/runtime/storage/machine.ts';
import { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { MemoryLog, type MemoryStore } from './memory-log.ts';

/** Wednesday, 1 January 2025, noon. */
const startMilliseconds = Date.UTC(2025, 0, 1, 12);
const stepsMax = 100_000;
/** The number of the message that runs a function of the test as a turn; no contract has it. */
const inlineMessage = 1_000_000;
/** The number of calls whose reply nobody wants. */
const droppedCall = 0;

export interface TestServerOptions {
  /** 2 by default. */
  partitions?: number;
  actors: readonly ActorImplementation[];
  keyspaces: readonly AnyKeyspace[];
  views?: (partition: number) => readonly PartitionView[];
  /** Disks with existing data; their number is the number of partitions. */
  disks?: readonly MemoryStore[];
}

/** An effect that a turn asked for; `answer` gives its result to the actor, then settles. */
export interface AskedEffect {
  readonly effect: number;
  readonly request: unknown;
  answer(value: unknown): void;
}

export interface TestServer {
  /** Everything committed so far, over all partitions. */
  readonly read: Snapshots;
  readonly partitions: readonly Partition[];
  readonly effects: readonly AskedEffect[];
  /** Reported problems, such as turns that failed without a caller. Most tests expect none. */
  readonly problems: readonly Problem[];
  readonly clock: {
    now(): number;
    /** Moves time, running each timer at its own moment. */
    advance(milliseconds: number): void;
  };
  /** Calls an actor and runs all consequences. Rejects with the Failure of the actor. */
  call<Reply>(envelope: Envelope<Reply>, flow?: string): Promise<Reply>;
  /** The same, synchronously; throws the Failure of the actor. */
  callNow<Reply>(envelope: Envelope<Reply>, flow?: string): Reply;
  /** Calls an actor and runs no more than its answer needs: what is read then is what an answer guarantees. */
  callOnly<Reply>(envelope: Envelope<Reply>): Promise<Reply>;
  /** Calls an actor without running anything: several such calls interleave at the next `settle`. Replies are dropped. */
  send(envelope: Envelope, flow?: string): void;
  /** Sends a request to a view of a partition, or to the partition itself, and runs all consequences. */
  control<Reply>(partition: number, view: string, request: unknown): Promise<Reply>;
  /** Retries or drops dead letters, and runs all consequences. */
  letters(partition: number, order: LetterOrder): Promise<LetterOutcome>;
  /** Runs a function as a turn of an actor, for preparing or inspecting state; throws what it throws. */
  turn<Key extends ActorKey, Result>(actor: DeclaredActor, key: Key, work: (turn: Turn<Key>) => Result): Result;
  /** Runs until nothing is left to do at this time. */
  settle(): void;
  /** Runs one pending task; false when there was none. */
  step(): boolean;
  /** Queues work behind all pending tasks. */
  defer(work: () => void): void;
  /** Calls back with the events of every commit from now on. */
  watch(listener: (batch: EventBatch) => void): void;
  /** All events of one type, in order. */
  events<Body>(type: EventType<Body>): Body[];
  forgetEvents(): void;
  /** The disks of the partitions. */
  readonly disks: readonly StorageReader[];
}

/** A message received by a recording actor. */
export interface Recorded {
  readonly name: string;
  readonly key: ActorKey;
  readonly body: unknown;
}

type Handlers = Readonly<Record<string, (turn: never, body: never) => unknown>>;

/** An actor with some of its handlers only; messages to the others become problems. */
export function partialActor(contract: { readonly actor: DeclaredActor }, handlers: Handlers): ActorImplementation {
  const entries = new Map<number, HandlerEntry>();
  for (const [name, run] of Object.entries(handlers)) {
    const { number, mode, body } = messageOf(contract, name);
    entries.set(number, { name, mode, body, run });
  }
  return { ...contract.actor, handlers: entries };
}

/** An actor that records the messages it receives and does nothing else. */
export function recordingActor(contract: { readonly actor: DeclaredActor }): {
  actor: ActorImplementation;
  told: Recorded[];
} {
  const told: Recorded[] = [];
  const names = Object.keys(contract).filter((name) => name !== 'actor');
  const handlers = names.map((name) => [
    name,
    (turn: Turn, body: unknown) => void told.push({ name, key: turn.self.key, body }),
  ]);
  return { actor: partialActor(contract, Object.fromEntries(handlers) as Handlers), told };
}

export function createTestServer(options: TestServerOptions): TestServer {
  return new MemoryServer(options);
}

function messageOf(contract: object, name: string): MessageType<ActorKey, unknown, unknown> {
  const message = (contract as Record<string, MessageType<ActorKey, unknown, unknown> | undefined>)[name];
  if (message === undefined) throw new Error(`the contract has no message ${name}`);
  return message;
}

function withInlineTurns(actor: ActorImplementation): ActorImplementation {
  const run = (turn: never, work: never) => (work as (turn: never) => unknown)(turn);
  const handlers = new Map(actor.handlers);
  handlers.set(inlineMessage, { name: 'inline turn', mode: 'call', body: z.unknown(), run });
  return { ...actor, handlers };
}

class MemoryServer implements TestServer {
  readonly partitions: readonly Partition[];
  readonly disks: readonly StorageReader[];
  readonly effects: AskedEffect[] = [];
  readonly problems: Problem[] = [];
  readonly clock = {
    now: () => this.milliseconds,
    // Nobody sets the clock here.
    monotonic: () => this.milliseconds - startMilliseconds,
    advance: (milliseconds: number) => this.advance(milliseconds),
  };
  private milliseconds = startMilliseconds;
  private readonly placement;
  private readonly snapshots: Snapshots;
  private readonly work: (() => void)[] = [];
  private readonly wakes = new Map<number, number>();
  private readonly replies = new Map<number, CallResult>();
  private published: LoggedEvent[] = [];
  private readonly watchers: ((batch: EventBatch) => void)[] = [];
  private lastCall = 0;

  constructor(options: TestServerOptions) {
    const count = options.disks?.length ?? options.partitions ?? 2;
    this.placement = evenPlacement(count);
    const actors = options.actors.map(withInlineTurns);
    const logs = Array.from({ length: count }, (_, number) => new MemoryLog(options.disks?.[number]));
    this.disks = logs.map(({ store }) => store);
    this.partitions = logs.map(
      (log, number) =>
        new Partition({
          number,
          placement: this.placement,
          actors,
          keyspaces: options.keyspaces,
          views: options.views?.(number) ?? [],
          isStrict: true,
          ports: this.createPorts(number, log),
        }),
    );
    this.snapshots = new Snapshots(
      this.placement,
      logs.map((log) => new MemoryLog(log.store).reader),
      ({ entry, isLeftOut }, partition) => {
        if (isLeftOut) this.problems.push({ level: 'error', message: 'a damaged entry is left out', error: entry });
        this.partitions[partition]!.damageMet(entry.key);
      },
    );
    for (const partition of this.partitions) void partition.open(1);
    this.settle();
  }

  get read(): Snapshots {
    return this.snapshots.beginReads();
  }

  async call<Reply>(envelope: Envelope<Reply>, flow = 'system'): Promise<Reply> {
    return this.callNow(envelope, flow);
  }

  callNow<Reply>(envelope: Envelope<Reply>, flow = 'system'): Reply {
    return this.answered(([, , call]) => this.submit(envelope, flow, call)) as Reply;
  }

  async callOnly<Reply>(envelope: Envelope<Reply>): Promise<Reply> {
    const submit = ([, , call]: ReplyHandle) => this.submit(envelope, 'system', call);
    return this.answered(submit, (call) => {
      while (!this.replies.has(call) && this.step());
    }) as Reply;
  }

  send(envelope: Envelope, flow = 'system'): void {
    this.submit(envelope, flow, droppedCall);
  }

  async control<Reply>(partition: number, view: string, request: unknown): Promise<Reply> {
    const reply = this.partitions[partition]!.control(view, request) as Reply;
    this.settle();
    return reply;
  }

  async letters(partition: number, order: LetterOrder): Promise<LetterOutcome> {
    return this.answered((replyTo) => this.partitions[partition]!.orderLetters(order, replyTo)) as LetterOutcome;
  }

  turn<Key extends ActorKey, Result>(actor: DeclaredActor, key: Key, work: (turn: Turn<Key>) => Result): Result {
    const place = actor.routing === 'partition' ? { partition: Number(key) } : {};
    const envelope: Envelope<Result> = { kind: actor.kind, key, message: inlineMessage, body: work, ...place };
    return this.callNow(envelope);
  }

  settle(): void {
    for (let steps = 0; this.step(); steps += 1) {
      if (steps === stepsMax) throw new Error('the partitions do not come to rest');
    }
    // As on LMDB, where a snapshot ends with its round of the event loop.
    this.snapshots.beginReads();
  }

  step(): boolean {
    const next = this.work.shift();
    next?.();
    return next !== undefined;
  }

  defer(work: () => void): void {
    this.work.push(work);
  }

  watch(listener: (batch: EventBatch) => void): void {
    this.watchers.push(listener);
  }

  events<Body>(type: EventType<Body>): Body[] {
    return this.published.flatMap((logged) => (isEvent(logged, type) ? [logged.body] : []));
  }

  forgetEvents(): void {
    this.published = [];
  }

  private answered(ask: (replyTo: ReplyHandle) => void, run = (_call: number) => this.settle()): unknown {
    this.lastCall += 1;
    const call = this.lastCall;
    ask([0, 0, call]);
    run(call);
    const result = this.replies.get(call);
    this.replies.delete(call);
    if (result === undefined) throw new Failure('outcomeUnknown', { text: 'The call was not answered' });
    if (!result.ok) throw fromWireFailure(result.failure);
    return result.value;
  }

  private submit(envelope: Envelope, flow: string, call: number): void {
    const partition = this.partitions[partitionOfEnvelope(this.placement, envelope)]!;
    // As between threads. An inline turn is a function, which cannot be copied.
    const copy = envelope.message === inlineMessage ? envelope : structuredClone(envelope);
    partition.submit({ envelope: copy, flow, replyTo: [0, 0, call], deadline: Number.POSITIVE_INFINITY });
  }

  private advance(milliseconds: number): void {
    const end = this.milliseconds + milliseconds;
    this.settle();
    for (;;) {
      const [number, at] = [...this.wakes].sort((one, other) => one[1] - other[1])[0] ?? [0, Number.POSITIVE_INFINITY];
      if (at > end) break;
      this.wakes.delete(number);
      this.milliseconds = Math.max(this.milliseconds, at);
      this.partitions[number]!.wake();
      this.settle();
    }
    this.milliseconds = end;
  }

  private createPorts(number: number, log: MemoryLog): PartitionPorts {
    log.onAppend = () => void this.work.push(() => log.complete());
    return {
      log,
      clock: this.clock,
      random: { bytes: (count) => randomBytes(count) },
      sendFrame: (frame) => void this.work.push(() => this.partitions[frame.destination]!.receive(frame)),
      acknowledge: (acknowledgement) =>
        void this.work.push(() => this.partitions[acknowledgement.source]!.acknowledged(acknowledgement)),
      reply: (handle, result, position) => {
        this.snapshots.noteCommit(position);
        this.replies.set(handle[2], result);
      },
      runEffect: (partition, sequence, effect, request) => {
        const answer = (value: unknown) => {
          this.partitions[partition]!.effectAnswered(sequence, value);
          this.settle();
        };
        this.effects.push({ effect, request, answer });
      },
      archiveLetters: (_letters, done) => done(undefined),
      publish: (batch) => {
        this.snapshots.noteCommit(batch);
        this.published.push(...batch.events);
        for (const watcher of this.watchers) watcher(batch);
      },
      defer: (callback) => void this.work.push(callback),
      wakeIn: (milliseconds) => void this.wakes.set(number, this.milliseconds + milliseconds),
      report: (problem) => void this.problems.push(problem),
    };
  }
}
