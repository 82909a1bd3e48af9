/** An owner thread: holds its partitions over LMDB and connects them to the other threads. */
import { randomBytes } from 'node:crypto';
import { type ActorImplementation, type ActorKey, slotOfActor } from '../contract.ts';
import { Failure, toWireFailure } from '../errors.ts';
import type { Counter } from '../metrics/metrics.ts';
import { Partition } from '../partition/partition.ts';
import type { Refusal } from '../partition/refusals.ts';
import type { PartitionView } from '../partition/views.ts';
import { partitionOfEnvelope } from '../placement.ts';
import type { Acknowledgement, Clock, Frame, PartitionPorts, Placement, Problem } from '../ports.ts';
import type { AnyKeyspace } from '../storage/keyspace.ts';
import { LetterArchive } from '../storage/letter-archive.ts';
import type { PartitionLog } from '../storage/log.ts';
import type { Trace } from '../tracing/trace.ts';
import { systemClock, WallClockWatch } from './clock.ts';
import type { Link } from './link.ts';
import { Listeners } from './listeners.ts';
import { type Answerable, hasExpired, type ThreadMessage } from './messages.ts';
import {
  countedEvents,
  countedRepeats,
  MeasuredTurns,
  measuredLog,
  sampleListeners,
  samplePartition,
} from './owner-metrics.ts';
import { effectsRole, ownerRole } from './role.ts';
import type { Service, Thread } from './thread.ts';
import { TurnWatchWriter } from './turn-watch.ts';

export interface OwnerOptions {
  placement: Placement;
  actors: readonly ActorImplementation[];
  keyspaces: readonly AnyKeyspace[];
  views(partition: number): readonly PartitionView[];
  /** `repeated` is called when an append failed in the storage library and is tried once more. */
  openLog(partition: number, repeated: (cause: unknown) => void): PartitionLog;
  /** Of each partition; see PartitionOptions. */
  moreEmptyScopesBytes?: number;
  appendsMax?: number | undefined;
  /** The archive file for dead letters above their bound. */
  lettersPathOf(partition: number): string;
  /** That of the machine where absent. */
  readonly clock?: Clock;
  report(problem: Problem): void;
  trace?: Trace | undefined;
}

export class OwnerService implements Service {
  private readonly thread: Thread<unknown>;
  private readonly options: OwnerOptions;
  private readonly partitions = new Map<number, Partition>();
  private readonly listeners: Listeners;
  private readonly notes: TurnWatchWriter | undefined;
  private readonly turns: MeasuredTurns;
  private readonly clock: Clock;
  private clockWatch: WallClockWatch | undefined;

  constructor(thread: Thread<unknown>, options: OwnerOptions) {
    this.thread = thread;
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.listeners = new Listeners(options.report);
    sampleListeners(thread.metrics, this.listeners);
    this.notes = thread.watch === undefined ? undefined : new TurnWatchWriter(thread.watch, options.report);
    this.turns = new MeasuredTurns(thread.metrics, options.actors, this.notes);
  }

  async start(): Promise<void> {
    const { placement } = this.options;
    for (let number = 0; number < placement.partitions; number += 1) {
      if (placement.ownerOf(number) === this.thread.name.index)
        this.partitions.set(number, this.createPartition(number));
    }
    const opened = Array.from(this.partitions, ([number, partition]) => partition.open(placement.epochOf(number)));
    this.clockWatch = new WallClockWatch(this.clock, () => {
      for (const partition of this.partitions.values()) partition.clockSet();
    });
    await Promise.all(opened);
  }

  async stop(): Promise<void> {
    this.clockWatch?.close();
    await Promise.all([...this.partitions.values()].map((partition) => partition.close()));
    this.listeners.close();
  }

  poisonChanged(digests: readonly string[]): void {
    this.notes?.refuse(digests);
  }

  attached(link: Link, replaced: boolean): void {
    if (!replaced) return;
    const { role, index, number } = link.peer;
    this.listeners.remove(link.peer);
    for (const partition of this.partitions.values()) {
      partition.callerReplaced(number);
      if (role === ownerRole) partition.resend();
      if (role === effectsRole) partition.repeatEffects((asker) => this.networkOf(asker) === index);
    }
  }

  receive(message: ThreadMessage, from: Link): void {
    switch (message.type) {
      case 'call':
        this.call(message, from);
        return;
      case 'frame':
        this.partitions.get(message.frame.destination)?.receive(message.frame);
        return;
      case 'acknowledge':
        this.acknowledged(message.acknowledgement);
        return;
      case 'answer':
        this.partitions.get(message.partition)?.effectAnswered(message.sequence, message.answer);
        return;
      case 'effectFailed':
        this.partitions.get(message.partition)?.effectFailed(message.sequence, message.reason);
        return;
      case 'control':
        this.control(message, from);
        return;
      case 'damaged':
        this.partitions.get(message.partition)?.damageMet(message.key);
        return;
      case 'letters':
        this.orderLetters(message, from);
        return;
      case 'listen':
        this.listeners.add(from, message.events);
        from.send({ type: 'reply', handle: message.replyTo, result: { ok: true, value: undefined } });
    }
  }

  private acknowledged(acknowledgement: Acknowledgement): void {
    this.partitions.get(acknowledgement.source)?.acknowledged(acknowledgement);
  }

  private call(message: Extract<ThreadMessage, { type: 'call' }>, from: Link): void {
    const partition = this.partitions.get(partitionOfEnvelope(this.options.placement, message.envelope));
    if (partition === undefined) refuse(message, from, 'storageUnavailable');
    else partition.submit(message);
  }

  private orderLetters(message: Extract<ThreadMessage, { type: 'letters' }>, from: Link): void {
    const partition = this.partitions.get(message.partition);
    if (partition === undefined) refuse(message, from, 'storageUnavailable');
    else partition.orderLetters(message);
  }

  private control(message: Extract<ThreadMessage, { type: 'control' }>, from: Link): void {
    const partition = this.partitions.get(message.partition);
    if (partition === undefined || hasExpired(message)) {
      refuse(message, from, partition === undefined ? 'storageUnavailable' : 'expired');
      return;
    }
    try {
      const [, caller] = message.replyTo;
      const value = partition.control(message.view, message.request, caller);
      const position = { partition: message.partition, commit: partition.commit };
      from.send({ type: 'reply', handle: message.replyTo, result: { ok: true, value }, position });
    } catch (error) {
      this.options.report({ level: 'error', message: `the view ${message.view} failed`, error });
      from.send({ type: 'reply', handle: message.replyTo, result: { ok: false, failure: toWireFailure(error) } });
    }
  }

  /** The network thread that runs the effects of an actor. */
  private networkOf(asker: ActorKey): number {
    return this.options.placement.networkOf(slotOfActor(asker));
  }

  private createPartition(number: number): Partition {
    const { placement, actors, keyspaces, views, openLog } = this.options;
    const { metrics } = this.thread;
    const repeats = countedRepeats(metrics, number);
    const repeated = (error: unknown) => {
      repeats.add(1);
      const message = `LMDB failed in a commit of partition ${number} and wrote nothing of it; it is tried once more`;
      this.options.report({ level: 'warn', message, error });
    };
    const log = measuredLog(openLog(number, repeated), metrics, number);
    const partition: Partition = new Partition({
      number,
      placement,
      actors,
      keyspaces,
      views: views(number),
      moreEmptyScopesBytes: this.options.moreEmptyScopesBytes,
      appendsMax: this.options.appendsMax,
      ports: this.createPorts(number, log, countedEvents(metrics, number), () => partition.wake()),
    });
    samplePartition(metrics, partition, actors);
    return partition;
  }

  private createPorts(number: number, log: PartitionLog, told: Counter, wake: () => void): PartitionPorts {
    const { thread, options } = this;
    const ownerLink = (partition: number) => thread.link(ownerRole, options.placement.ownerOf(partition));
    const isHere = (partition: number) => this.partitions.has(partition);
    const archive = new LetterArchive({
      path: options.lettersPathOf(number),
      partition: number,
      report: options.report,
    });
    let timer: NodeJS.Timeout | undefined;
    return {
      log,
      clock: this.clock,
      random: { bytes: (count) => randomBytes(count) },
      sendFrame: (frame) => {
        // A partition of the same thread is reached without a port, but never during the sender's own work.
        if (isHere(frame.destination)) setImmediate(() => this.partitions.get(frame.destination)!.receive(frame));
        else sendFrame(ownerLink(frame.destination), frame);
      },
      acknowledge: (acknowledgement) => {
        const { source } = acknowledgement;
        if (isHere(source)) this.acknowledged(acknowledgement);
        else ownerLink(source).send({ type: 'acknowledge', acknowledgement });
      },
      reply: (handle, result, position, bytes) => {
        const [boot, caller] = handle;
        if (boot === thread.boot) thread.linkOfNumber(caller).send({ type: 'reply', handle, result, position }, bytes);
      },
      runEffect: (partition, sequence, effect, request, asker, cause) => {
        const network = thread.link(effectsRole, this.networkOf(asker));
        network.send({ type: 'effect', partition, sequence, effect, request, cause });
      },
      publish: (batch, recipients) => {
        told.add(batch.events.length);
        this.listeners.publish(batch, recipients);
      },
      publishGap: () => this.listeners.publishGap(),
      defer: (callback) => void setImmediate(callback),
      wakeIn: (milliseconds) => {
        clearTimeout(timer);
        timer = setTimeout(wake, Math.min(Math.ceil(milliseconds), timerMillisecondsMax));
        timer.unref();
      },
      archiveLetters: (letters, done) =>
        void archive.append(letters).then(
          () => done(undefined),
          (error: unknown) =>
            done(new Error('the archive file of dead letters could not be written', { cause: error })),
        ),
      report: (problem) => options.report(problem),
      watch: this.turns,
      trace: options.trace,
    };
  }
}

/** Answers at once a request that is not run; frames for a partition that is not here are sent again by their sender. */
function refuse({ replyTo }: Answerable, from: Link, reason: Refusal): void {
  const failure = toWireFailure(new Failure(reason));
  from.send({ type: 'reply', handle: replyTo, result: { ok: false, failure } });
}

/** A frame that finds no room is sent again later, like every unacknowledged frame. */
function sendFrame(link: Link, frame: Frame): void {
  if (!link.backlog.isFull) link.send({ type: 'frame', frame }, frame.bytes.byteLength);
}

/** setTimeout takes 31 bits; a timer that fires early is set again. */
const timerMillisecondsMax = 0x7fff_ffff;
