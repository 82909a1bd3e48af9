/**
 * The operator's orders about dead letters. They wait for room in the batch like everything else that runs: so many at a
 * time, in turn, and none begins after its deadline.
 */
import type { LetterOrder } from '../letters.ts';
import { partitionLimits } from '../limits.ts';
import type { ReplyHandle } from '../storage/machine.ts';
import { Fifo } from './fifo.ts';

export interface IncomingOrder {
  readonly order: LetterOrder;
  readonly replyTo: ReplyHandle;
  /** The latest time of the monotonic clock at which it may begin. */
  readonly deadline: number;
}

export class LetterOrders {
  private readonly waiting = new Fifo<IncomingOrder>();

  get hasWork(): boolean {
    return this.waiting.length > 0;
  }

  /** When the first expires; those behind it came later, and all have the same time to begin. */
  get nextDeadline(): number {
    return this.next?.deadline ?? Number.POSITIVE_INFINITY;
  }

  /** False where too many wait. */
  offer(order: IncomingOrder): boolean {
    if (this.waiting.length >= partitionLimits.letterOrdersMax) return false;
    this.waiting.push(order);
    return true;
  }

  /** The one to run; it waits until `done`. */
  get next(): IncomingOrder | undefined {
    return this.waiting.peek();
  }

  done(): void {
    this.waiting.shift();
  }

  /** Removes and returns those whose deadline has passed. */
  takeExpired(now: number): IncomingOrder[] {
    const taken: IncomingOrder[] = [];
    while (this.hasWork && this.nextDeadline <= now) taken.push(this.waiting.shift()!);
    return taken;
  }

  /** Removes and returns all, because the partition will not run them. */
  takeAll(): IncomingOrder[] {
    return this.takeExpired(Number.POSITIVE_INFINITY);
  }
}
