/** Refuses calls, and orders about letters: their callers learn that nothing was done. */
import { Failure, toWireFailure } from '../errors.ts';
import { partitionLimits } from '../limits.ts';
import type { CallResult, PartitionPorts } from '../ports.ts';
import type { Batch } from './batch.ts';
import type { LetterOrders } from './letter-orders.ts';
import type { Mailboxes, Work } from './mailboxes.ts';
import type { Staging } from './staging.ts';

/** Why a call was not run. */
export type Refusal = 'overloaded' | 'expired' | 'storageUnavailable';

export function refused(error: unknown): CallResult {
  return { ok: false, failure: toWireFailure(error) };
}

export class Refusals {
  private readonly mailboxes: Mailboxes;
  private readonly letterOrders: LetterOrders;
  private readonly ports: Pick<PartitionPorts, 'clock' | 'reply'>;
  /** The next check for expired calls is not before this. */
  private expiryAfter = 0;

  constructor(mailboxes: Mailboxes, letterOrders: LetterOrders, ports: Pick<PartitionPorts, 'clock' | 'reply'>) {
    this.mailboxes = mailboxes;
    this.letterOrders = letterOrders;
    this.ports = ports;
  }

  /** When calls may have expired. */
  get nextAt(): number {
    return Math.max(this.nextDeadline, this.expiryAfter);
  }

  private get nextDeadline(): number {
    return Math.min(this.mailboxes.nextDeadline, this.letterOrders.nextDeadline);
  }

  /** Answers calls only: other work has no caller. */
  refuse({ replyTo }: Pick<Work, 'replyTo'>, reason: Refusal = 'overloaded'): void {
    this.ports.reply(replyTo!, refused(new Failure(reason)));
  }

  /** The batch is not in the log. Messages that were durable before it run again. */
  refuseCallersOf(batch: Batch): void {
    for (const { handle, isKept } of batch.callers) if (!isKept) this.refuse({ replyTo: handle }, 'storageUnavailable');
  }

  /** Drops the filling batch. */
  refuseFilling(staging: Staging): void {
    this.refuseCallersOf(staging.nextBatch());
    this.refuseWaiting('storageUnavailable');
  }

  /** Drops every batch that has not landed. */
  refuseUncommitted(staging: Staging): void {
    for (const batch of staging.underWay.splice(0)) this.refuseCallersOf(batch);
    this.refuseFilling(staging);
  }

  /** Nobody knows whether these batches are in the log: their callers get `outcomeUnknown`. */
  tellUnknown(batches: readonly Batch[]): void {
    const unknown = refused(new Failure('outcomeUnknown'));
    for (const batch of batches) for (const { handle } of batch.takeCallers()) this.ports.reply(handle, unknown);
  }

  refuseWaiting(reason?: Refusal): void {
    for (const call of this.mailboxes.takeCalls()) this.refuse(call, reason);
    for (const order of this.letterOrders.takeAll()) this.refuse(order, reason);
  }

  /** Runs even while no turn does: callers that give up would not know that nothing was done. */
  refuseExpired(): void {
    const now = this.ports.clock.monotonic();
    if (this.nextDeadline > now) return;
    for (const call of this.mailboxes.takeExpired(now)) this.refuse(call, 'expired');
    for (const order of this.letterOrders.takeExpired(now)) this.refuse(order, 'expired');
    this.expiryAfter = now + partitionLimits.expiryMilliseconds;
  }
}
