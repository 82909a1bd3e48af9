/**
 * The mailboxes of a partition and the order in which they are served.
 *
 * Service is deficit round robin between flows (who caused the work: a remote domain, a local account), then round
 * robin between the actors of a flow.
 *
 * INVARIANTS
 * 1. Durable messages of one actor are served in the order of their inbox sequence.
 * 2. A resting queue is not served, and new messages for its actor wait behind it.
 * 3. Calls of one flow to one actor are served in order. Calls are refused above the bounds and after their deadlines.
 *    Durable messages are never refused: a partition with a full inbox takes no more frames (`isInboxFull`).
 */
import type { ActorKey, Envelope } from '../contract.ts';
import { partitionLimits } from '../limits.ts';
import type { ReplyHandle } from '../storage/machine.ts';
import { Fifo } from './fifo.ts';

export interface Work {
  readonly envelope: Envelope;
  readonly flow: string;
  readonly replyTo?: ReplyHandle | undefined;
  /** The traced request that caused it. */
  readonly cause?: string | undefined;
  /** Of calls: the latest time at which they may begin. Times here are those of the monotonic clock. */
  readonly deadline?: number;
  /** Of calls: about the memory that the body takes. */
  readonly bytes?: number;
  /** True for messages that are on disk, or will be with the batch that runs them. Calls are not. */
  readonly durable?: boolean;
  /** Set for messages of the inbox. */
  readonly inboxSequence?: number | undefined;
  /** Its bytes in the inbox, and when it entered there or was read at the start. */
  readonly inboxBytes?: number;
  readonly inboxSince?: number;
}

interface Queue {
  /** The actor; for calls also the flow. */
  readonly name: string;
  readonly kind: number;
  readonly key: ActorKey;
  readonly work: Fifo<Work>;
  readonly durable: boolean;
  /** Its first message is tried again later. */
  isResting: boolean;
}

interface Flow {
  readonly name: string;
  readonly queues: Fifo<Queue>;
  deficit: number;
}

/** What waits for the actors of one kind. */
export interface MailboxesOfKind {
  readonly kind: number;
  /** Calls and durable messages. */
  readonly waiting: number;
  /** Those of the actor that has the most. */
  readonly longest: number;
}

const quantum = 8;

export function actorName(kind: number, key: ActorKey): string {
  return `${kind}:${key}`;
}

export class Mailboxes {
  private readonly flows = new Map<string, Flow>();
  private readonly turnOrder = new Fifo<Flow>();
  private readonly durable = new Map<string, Queue>();
  private readonly calls = new Map<string, Queue>();
  private waitingCalls = 0;
  private waitingCallBytes = 0;
  private earliestDeadline = Number.POSITIVE_INFINITY;
  private waitingDurable = 0;
  private waitingDurableBytes = 0;
  private readonly resting = new Set<Queue>();

  /** Work that can be served now. */
  get size(): number {
    let resting = 0;
    for (const { work } of this.resting) resting += work.length;
    return this.waitingCalls + this.waitingDurable - resting;
  }

  get hasResting(): boolean {
    return this.resting.size > 0;
  }

  /** No waiting call expires before this. */
  get nextDeadline(): number {
    return this.earliestDeadline;
  }

  get callCount(): number {
    return this.waitingCalls;
  }

  get callBytes(): number {
    return this.waitingCallBytes;
  }

  get durableCount(): number {
    return this.waitingDurable;
  }

  get durableBytes(): number {
    return this.waitingDurableBytes;
  }

  /** The earliest deadline of a waiting call. Looks at every queue: for occasional sampling only. */
  get oldestDeadline(): number | undefined {
    let next: number | undefined;
    for (const { work } of this.calls.values()) {
      const deadline = work.peek()?.deadline;
      if (deadline !== undefined && (next === undefined || deadline < next)) next = deadline;
    }
    return next;
  }

  /** When the oldest durable message began to wait. Looks at every queue: for occasional sampling only. */
  get oldestDurableSince(): number | undefined {
    let oldest: number | undefined;
    for (const { work } of this.durable.values()) {
      const since = work.peek()?.inboxSince;
      if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since;
    }
    return oldest;
  }

  /** Looks at every queue: for occasional sampling only. Kinds for which nothing waits are left out. */
  get byKind(): readonly MailboxesOfKind[] {
    const kinds = new Map<number, Map<ActorKey, number>>();
    for (const queues of [this.durable, this.calls])
      for (const { kind, key, work } of queues.values()) {
        const actors = kinds.get(kind) ?? new Map<ActorKey, number>();
        kinds.set(kind, actors);
        actors.set(key, (actors.get(key) ?? 0) + work.length);
      }
    return Array.from(kinds, ([kind, actors]) => {
      let [waiting, longest] = [0, 0];
      for (const length of actors.values()) {
        waiting += length;
        longest = Math.max(longest, length);
      }
      return { kind, waiting, longest };
    });
  }

  /** True while no more frames should be taken. */
  get isInboxFull(): boolean {
    return this.holdsInboxes(1);
  }

  /** True while not even calls may run, because they might add to the inbox. */
  get isInboxOverflowing(): boolean {
    return this.holdsInboxes(partitionLimits.inboxOverflowFactor);
  }

  /** True while durable messages wait for this actor: later ones must queue behind them. */
  hasBacklog(kind: number, key: ActorKey): boolean {
    return this.durable.size > 0 && this.durable.has(actorName(kind, key));
  }

  /** False when the bounds are reached: the caller gets 503. */
  offerCall(work: Work): boolean {
    if (!this.hasRoomFor(work)) return false;
    const { kind, key } = work.envelope;
    const name = `${actorName(kind, key)} ${work.flow}`;
    let queue = this.calls.get(name);
    if (queue === undefined) {
      queue = { name, kind, key, work: new Fifo(), durable: false, isResting: false };
      this.calls.set(name, queue);
      this.schedule(work.flow, queue);
    } else if (queue.work.length >= partitionLimits.mailboxCallsMax) return false;
    queue.work.push(work);
    this.waitingCalls += 1;
    this.waitingCallBytes += work.bytes ?? 0;
    if (work.deadline !== undefined && work.deadline < this.earliestDeadline) this.earliestDeadline = work.deadline;
    return true;
  }

  addDurable(work: Work): void {
    const { kind, key } = work.envelope;
    const name = actorName(kind, key);
    let queue = this.durable.get(name);
    if (queue === undefined) {
      queue = { name, kind, key, work: new Fifo(), durable: true, isResting: false };
      this.durable.set(name, queue);
      this.schedule(work.flow, queue);
    }
    queue.work.push(work);
    this.waitingDurable += 1;
    this.waitingDurableBytes += work.inboxBytes ?? 0;
  }

  /** A message of the inbox could not run: it stays first in its actor's queue, which is not served until `resume`. */
  rest(work: Work): void {
    const { kind, key } = work.envelope;
    const name = actorName(kind, key);
    const queue: Queue = this.durable.get(name) ?? {
      name,
      kind,
      key,
      work: new Fifo(),
      durable: true,
      isResting: true,
    };
    queue.isResting = true;
    queue.work.unshift(work);
    this.durable.set(name, queue);
    this.resting.add(queue);
    this.waitingDurable += 1;
    this.waitingDurableBytes += work.inboxBytes ?? 0;
  }

  /** Serves all resting queues again. */
  resume(): void {
    for (const queue of this.resting) {
      queue.isResting = false;
      this.schedule(queue.work.peek()!.flow, queue);
    }
    this.resting.clear();
  }

  take(): Work | undefined {
    for (;;) {
      const flow = this.turnOrder.peek();
      if (flow === undefined) return undefined;
      if (flow.deficit <= 0) {
        flow.deficit += quantum;
        this.turnOrder.shift();
        this.turnOrder.push(flow);
        continue;
      }
      const work = this.takeFrom(flow);
      if (work === undefined) continue;
      flow.deficit -= 1;
      return work;
    }
  }

  /** Removes and returns expired calls. Calls of one queue are in the order of their deadlines. */
  takeExpired(now: number): Work[] {
    const taken: Work[] = [];
    this.earliestDeadline = Number.POSITIVE_INFINITY;
    for (const { work } of this.calls.values()) {
      while ((work.peek()?.deadline ?? Number.POSITIVE_INFINITY) <= now) taken.push(work.shift()!);
      this.earliestDeadline = Math.min(this.earliestDeadline, work.peek()?.deadline ?? Number.POSITIVE_INFINITY);
    }
    this.waitingCalls -= taken.length;
    for (const { bytes = 0 } of taken) this.waitingCallBytes -= bytes;
    return taken;
  }

  clear(): void {
    this.resting.clear();
    this.flows.clear();
    while (this.turnOrder.shift() !== undefined);
    this.durable.clear();
    this.calls.clear();
    this.waitingCalls = 0;
    this.waitingCallBytes = 0;
    this.earliestDeadline = Number.POSITIVE_INFINITY;
    this.waitingDurable = 0;
    this.waitingDurableBytes = 0;
  }

  /** Removes and returns every waiting call, because the partition will not run them. */
  takeCalls(): Work[] {
    const taken: Work[] = [];
    const durable: Work[] = [];
    for (let work = this.take(); work !== undefined; work = this.take()) (work.durable ? durable : taken).push(work);
    for (const work of durable) this.addDurable(work);
    return taken;
  }

  private hasRoomFor({ flow, bytes = 0 }: Work): boolean {
    const { waitingCallsMax, waitingCallsReserved, waitingCallsBytesMax, waitingCallsBytesReserved } = partitionLimits;
    const bytesLeft = waitingCallsBytesMax - this.waitingCallBytes - bytes;
    const callsLeft = waitingCallsMax - this.waitingCalls;
    if (callsLeft > waitingCallsReserved && bytesLeft >= waitingCallsBytesReserved) return true;
    return callsLeft > 0 && bytesLeft >= 0 && this.isModest(flow);
  }

  /** Stops counting at the bound: this runs when the partition is overloaded. */
  private isModest(name: string): boolean {
    const queues = this.flows.get(name)?.queues;
    if (queues === undefined) return true;
    let waiting = 0;
    for (let index = 0; index < queues.length && waiting < partitionLimits.callsOfModestFlowMax; index += 1)
      waiting += queues.at(index)!.work.length;
    return waiting < partitionLimits.callsOfModestFlowMax;
  }

  /** Whether the waiting messages exceed this many times the bounds of the inbox. */
  private holdsInboxes(count: number): boolean {
    const { inboxMessagesMax, inboxBytesMax } = partitionLimits;
    return this.waitingDurable >= count * inboxMessagesMax || this.waitingDurableBytes >= count * inboxBytesMax;
  }

  /** Undefined where the next queue rests, or all its calls have expired. */
  private takeFrom(flow: Flow): Work | undefined {
    const queue = flow.queues.shift()!;
    if (queue.isResting) {
      if (flow.queues.length === 0) this.retire(flow);
      return undefined;
    }
    const work = queue.work.shift();
    if (work !== undefined && queue.durable) {
      this.waitingDurable -= 1;
      this.waitingDurableBytes -= work.inboxBytes ?? 0;
    } else if (work !== undefined) {
      this.waitingCalls -= 1;
      this.waitingCallBytes -= work.bytes ?? 0;
    }
    const next = queue.work.peek();
    if (next !== undefined) this.schedule(next.flow, queue);
    else (queue.durable ? this.durable : this.calls).delete(queue.name);
    if (flow.queues.length === 0) this.retire(flow);
    return work;
  }

  private schedule(flowName: string, queue: Queue): void {
    let flow = this.flows.get(flowName);
    if (flow === undefined) {
      flow = { name: flowName, queues: new Fifo(), deficit: quantum };
      this.flows.set(flowName, flow);
      this.turnOrder.push(flow);
    }
    flow.queues.push(queue);
  }

  /** Removes the flow at the head, which has no work left. */
  private retire(flow: Flow): void {
    this.flows.delete(flow.name);
    this.turnOrder.shift();
  }
}
