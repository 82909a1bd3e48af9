/**
 * The partitions of a test, in one thread. Their ports are implemented here for all tests; what these differ in is given:
 * the log, the schedule, and the wire, which has the ports through which things leave in another way than usual.
 *
 * Usually frames and acknowledgements arrive once and in order, each as a task of its own; a reply goes to whoever made
 * the call; letters are archived at once; everything else is recorded.
 */
import { randomBytes, randomInt } from 'node:crypto';
import type { Envelope } from '../../src/runtime/contract.ts';
import type { EventRecipients, PublishedEvents } from '../../src/runtime/events/event.ts';
import type { LetterOrder, StoredLetter } from '../../src/runtime/letters.ts';
import { type IncomingCall, Partition, type PartitionOptions } from '../../src/runtime/partition/partition.ts';
import { partitionOfEnvelope } from '../../src/runtime/placement.ts';
import { sizeOfPlainData } from '../../src/runtime/plain-data.ts';
import type { CallResult, CommitPosition, PartitionPorts, Placement, Problem } from '../../src/runtime/ports.ts';
import type { ReplyHandle } from '../../src/runtime/storage/machine.ts';
import type { Schedule } from './schedule.ts';

export type Wire = Partial<Omit<PartitionPorts, 'log' | 'clock' | 'defer' | 'wakeIn'>>;

/** What left partitions, in its order. */
export class Records {
  readonly effects: AskedEffect[] = [];
  readonly published: PublishedEvents[] = [];
  /** Of the published events. */
  readonly recipients: (readonly EventRecipients[] | undefined)[] = [];
  /** How often listeners were told to forget what they had read. */
  gaps = 0;
  readonly archived: StoredLetter[] = [];
  readonly problems: Problem[] = [];
}

export interface AskedEffect {
  readonly sequence: number;
  readonly effect: number;
  readonly request: unknown;
  readonly cause: string | undefined;
  /** Gives its result to the actor. */
  answer(value: unknown): void;
}

export interface Surroundings extends Pick<PartitionPorts, 'log'> {
  readonly schedule: Schedule;
  readonly wire?: Wire;
  readonly records?: Records;
}

/** `invalidates`: what led to the answer has invalidated what threads cache. */
export type Answered = (result: CallResult, position: CommitPosition | undefined, invalidates: boolean) => void;

/** What leaves one of its partitions is recorded here, unless it has records of its own. */
export class PartitionHost extends Records {
  readonly placement: Placement;
  private readonly content: (partition: number) => Omit<PartitionOptions, 'number' | 'placement' | 'ports'>;
  /** By number; undefined while there is none. */
  private readonly running: (Partition | undefined)[] = [];
  /** Tells its calls from those of an earlier process. */
  private readonly boot = randomInt(2 ** 32);
  private readonly calls = new Map<number, Answered>();
  private lastCall = 0;

  constructor(placement: Placement, content: PartitionHost['content']) {
    super();
    this.placement = placement;
    this.content = content;
  }

  partition(number: number): Partition | undefined {
    return this.running[number];
  }

  /** Puts a partition in its place, where another one may have been; it is not open yet. */
  start(number: number, surroundings: Surroundings): Partition {
    const { placement } = this;
    const ports = this.ports(number, surroundings);
    const partition = new Partition({ ...this.content(number), number, placement, ports });
    this.running[number] = partition;
    return partition;
  }

  /** Nothing reaches it any more. */
  stop(number: number): void {
    this.running[number] = undefined;
  }

  /** True when nothing is to be done any more. */
  get isSettled(): boolean {
    return this.running.every((partition) => partition?.isSettled ?? true);
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((_, number) => this.closePartition(number)));
  }

  async closePartition(number: number): Promise<void> {
    const closing = this.running[number];
    await closing?.close();
    if (this.running[number] === closing) this.stop(number);
  }

  submit(
    envelope: Envelope,
    answered: Answered,
    { flow = 'system', deadline = Number.POSITIVE_INFINITY, cause }: Partial<IncomingCall> = {},
  ): void {
    const partition = this.running[partitionOfEnvelope(this.placement, envelope)]!;
    const bytes = sizeOfPlainData(envelope.body);
    partition.submit({ envelope, flow, replyTo: this.replyTo(answered), deadline, bytes, cause });
  }

  submitOrder(
    partition: number,
    order: LetterOrder,
    answered: Answered,
    deadline: number = Number.POSITIVE_INFINITY,
  ): void {
    this.running[partition]!.orderLetters({ order, replyTo: this.replyTo(answered), deadline });
  }

  private replyTo(answered: Answered): ReplyHandle {
    this.lastCall += 1;
    this.calls.set(this.lastCall, answered);
    return [this.boot, 1, this.lastCall];
  }

  private ports(number: number, { log, schedule, wire, records = this }: Surroundings): PartitionPorts {
    const { running, calls, boot } = this;
    let wish = 0;
    return {
      log,
      clock: schedule.clock,
      random: { bytes: (count) => randomBytes(count) },
      sendFrame: (frame) => schedule.soon(() => running[frame.destination]?.receive(frame)),
      acknowledge: (taken) => schedule.soon(() => running[taken.source]?.acknowledged(taken)),
      reply: ([ofBoot, , call, invalidates = false], result, position) => {
        if (ofBoot !== boot) return;
        const answered = calls.get(call);
        if (answered === undefined) throw new Error(`call ${call} is answered twice`);
        calls.delete(call);
        answered(result, position, invalidates);
      },
      runEffect: (_partition, sequence, effect, request, _asker, cause) => {
        const answer = (value: unknown) => running[number]?.effectAnswered(sequence, value);
        records.effects.push({ sequence, effect, request, cause, answer });
      },
      archiveLetters: (letters, done) => {
        records.archived.push(...letters);
        done(undefined);
      },
      publish: (batch, recipients) => {
        records.published.push(batch);
        records.recipients.push(recipients);
      },
      publishGap: () => {
        records.gaps += 1;
      },
      defer: (task) => schedule.soon(task),
      wakeIn: (milliseconds) => {
        wish += 1;
        const asked = wish;
        schedule.wakeIn(milliseconds, () => {
          if (asked === wish) running[number]?.wake();
        });
      },
      report: (problem) => void records.problems.push(problem),
      ...wire,
    };
  }
}
