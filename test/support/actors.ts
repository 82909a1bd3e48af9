/**
 * Real partitions over memory logs in one thread, for tests of handlers and queries. Nothing runs on its own: `call`,
 * `settle` and `clock.advance` run everything there is to do, so a test is deterministic and never waits.
 */
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
import type { EventBatch, EventType } from '../../src/runtime/events/event.ts';
import { isEvent } from '../../src/runtime/events/event.ts';
import type { DescribedFlow, Flow } from '../../src/runtime/flow.ts';
import type { LetterOrder, LetterOutcome } from '../../src/runtime/letters.ts';
import type { Partition } from '../../src/runtime/partition/partition.ts';
import type { Turn } from '../../src/runtime/partition/turn.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import type { CallResult } from '../../src/runtime/ports.ts';
import type { AnyKeyspace } from '../../src/runtime/storage/keyspace.ts';
import type { StorageReader } from '../../src/runtime/storage/log.ts';
import { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { MemoryLog, type MemoryStore } from './memory-log.ts';
import { type Answered, PartitionHost, type Surroundings, type Wire } from './partition-host.ts';
import { Tasks } from './schedule.ts';

/** Wednesday, 1 January 2025, noon. */
const startMilliseconds = Date.UTC(2025, 0, 1, 12);
/** The number of the message that runs a function of the test as a turn; no contract has it. */
const inlineMessage = 1_000_000;

export interface TestServerOptions {
  /** 2 by default. */
  partitions?: number;
  actors: readonly ActorImplementation[];
  keyspaces: readonly AnyKeyspace[];
  views?: (partition: number) => readonly PartitionView[];
  /** Disks with existing data; their number is the number of partitions. */
  disks?: readonly MemoryStore[];
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
  return new TestServer(options);
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

export class TestServer extends PartitionHost {
  readonly partitions: readonly Partition[];
  readonly disks: readonly StorageReader[];
  readonly clock = {
    now: () => this.milliseconds,
    // Nobody sets the clock here.
    monotonic: () => this.milliseconds - startMilliseconds,
    /** Moves time, running each timer at its own moment. */
    advance: (milliseconds: number) => this.advance(milliseconds),
  };
  private milliseconds = startMilliseconds;
  private readonly snapshots: Snapshots;
  private readonly tasks = new Tasks();
  /** When each partition wants to be woken. */
  private readonly wakes = new Map<number, { at: number; wake: () => void }>();
  private readonly watchers: ((batch: EventBatch) => void)[] = [];
  private readonly forgetful: (() => void)[] = [];

  constructor({ disks, partitions = disks?.length ?? 2, views, ...content }: TestServerOptions) {
    const placement = evenPlacement(partitions);
    const actors = content.actors.map(withInlineTurns);
    super(placement, (number) => ({ ...content, actors, views: views?.(number) ?? [], isStrict: true }));
    const logs = Array.from({ length: partitions }, (_, number) => new MemoryLog(disks?.[number]));
    this.disks = logs.map(({ store }) => store);
    this.partitions = logs.map((log, number) => this.start(number, this.surroundings(number, log)));
    this.snapshots = new Snapshots(
      placement,
      logs.map(({ store }) => store.snapshot()),
      ({ entry, isLeftOut }, partition) => {
        if (isLeftOut) this.problems.push({ level: 'error', message: 'a damaged entry is left out', error: entry });
        this.partitions[partition]!.damageMet(entry.key);
      },
    );
    for (const partition of this.partitions) void partition.open(1);
    this.settle();
  }

  /** Everything committed so far, over all partitions. */
  get read(): Snapshots {
    return this.snapshots.beginReads();
  }

  /** Calls an actor and runs all consequences. Rejects with the Failure of the actor. */
  async call<Reply>(envelope: Envelope<Reply>, flow: Flow = 'system'): Promise<Reply> {
    return this.callNow(envelope, flow);
  }

  /** The same, synchronously; throws the Failure of the actor. */
  callNow<Reply>(envelope: Envelope<Reply>, flow: Flow = 'system'): Reply {
    return this.answered((answered) => this.ask(envelope, flow, answered)) as Reply;
  }

  /** Calls an actor and runs no more than its answer needs: what is read then is what an answer guarantees. */
  async callOnly<Reply>(envelope: Envelope<Reply>): Promise<Reply> {
    return this.answered((answered) => this.ask(envelope, 'system', answered), false) as Reply;
  }

  /** Calls an actor without running anything: several such calls interleave at the next `settle`. Replies are dropped. */
  send(envelope: Envelope, flow = 'system'): void {
    this.ask(envelope, flow, (_result, position) => this.snapshots.noteCommit(position));
  }

  /** Sends a request to a view of a partition, or to the partition itself, and runs all consequences. */
  async control<Reply>(partition: number, view: string, request: unknown): Promise<Reply> {
    const reply = this.partitions[partition]!.control(view, request) as Reply;
    this.settle();
    return reply;
  }

  /** Retries or drops dead letters, and runs all consequences. */
  async letters(partition: number, order: LetterOrder): Promise<LetterOutcome> {
    return this.answered((answered) => this.submitOrder(partition, order, answered)) as LetterOutcome;
  }

  /** Runs a function as a turn of an actor, for preparing or inspecting state; throws what it throws. */
  turn<Key extends ActorKey, Result>(actor: DeclaredActor, key: Key, work: (turn: Turn<Key>) => Result): Result {
    const place = actor.routing === 'partition' ? { partition: Number(key) } : {};
    const envelope: Envelope<Result> = { kind: actor.kind, key, message: inlineMessage, body: work, ...place };
    return this.callNow(envelope);
  }

  /** Runs until nothing is left to do at this time. */
  settle(): void {
    this.tasks.run();
    // As on LMDB, where a snapshot ends with its round of the event loop.
    this.snapshots.beginReads();
  }

  /** Runs one pending task; false when there was none. */
  step(): boolean {
    return this.tasks.step();
  }

  /** Queues work behind all pending tasks. */
  defer(work: () => void): void {
    this.tasks.soon(work);
  }

  /** Calls back with the events of every commit from now on; `forget` where what was read no longer holds. */
  watch(listener: (batch: EventBatch) => void, forget?: () => void): void {
    this.watchers.push(listener);
    if (forget !== undefined) this.forgetful.push(forget);
  }

  /** All events of one type, in order. */
  events<Body>(type: EventType<Body>): Body[] {
    const all = this.published.flatMap(({ events }) => events);
    return all.flatMap((logged) => (isEvent(logged, type) ? [logged.body] : []));
  }

  forgetEvents(): void {
    this.published.length = 0;
  }

  private answered(ask: (answered: Answered) => void, runsAll = true): unknown {
    const results: CallResult[] = [];
    ask((result, position) => {
      this.snapshots.noteCommit(position);
      results.push(result);
    });
    if (runsAll) this.settle();
    else while (results.length === 0 && this.step());
    const result = results[0];
    if (result === undefined) throw new Failure('outcomeUnknown', { text: 'The call was not answered' });
    if (!result.ok) throw fromWireFailure(result.failure);
    return result.value;
  }

  private ask(envelope: Envelope, origin: Flow, answered: Answered): void {
    // As between threads. An inline turn is a function, which cannot be copied.
    const copy = envelope.message === inlineMessage ? envelope : structuredClone(envelope);
    const { flow, cause, invalidated }: DescribedFlow = typeof origin === 'string' ? { flow: origin } : origin;
    const told: Answered = (result, position, invalidates) => {
      if (invalidates) invalidated?.();
      answered(result, position, invalidates);
    };
    this.submit(copy, told, { flow, ...(cause !== undefined && { cause }) });
  }

  private advance(milliseconds: number): void {
    const end = this.milliseconds + milliseconds;
    this.settle();
    for (;;) {
      const [number, next] = [...this.wakes].sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
      if (next === undefined || next.at > end) break;
      this.wakes.delete(number!);
      this.milliseconds = Math.max(this.milliseconds, next.at);
      next.wake();
      this.settle();
    }
    this.milliseconds = end;
  }

  private surroundings(number: number, log: MemoryLog): Surroundings {
    const { clock, tasks, wakes } = this;
    log.onAppend = () => tasks.soon(() => log.complete());
    const publish: Wire['publish'] = (batch) => {
      this.snapshots.noteCommit(batch);
      this.published.push(batch);
      for (const watcher of this.watchers) watcher(batch);
    };
    const publishGap = () => {
      this.snapshots.noteCommit();
      for (const forget of this.forgetful) forget();
    };
    const wakeIn = (after: number, wake: () => void) => void wakes.set(number, { at: clock.now() + after, wake });
    return { log, schedule: { clock, soon: tasks.soon, wakeIn }, wire: { publish, publishGap } };
  }
}
