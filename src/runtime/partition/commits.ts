/**
 * The way of the batches into the log: appended through a window, told when they are there, and what becomes of those
 * that the log refuses.
 *
 * INVARIANTS
 * 1. Each batch that is in the log is told once, as `landed`, in the order of the appends. One that is not never is.
 * 2. After a refusal nothing is appended before the log has told where it stands.
 * 3. Once another owner has opened the log, nothing is asked of it any more.
 */
import { isRefusal, type LogRefusal, type LogTail, type PartitionLog } from '../storage/log.ts';
import type { Batch } from './batch.ts';
import type { Staging } from './staging.ts';

export interface CommitsOptions {
  readonly log: PartitionLog;
  readonly staging: Staging;
  /** Appends under way at a time. */
  readonly appendsMax: number;
  landed(batch: Batch): void;
  /** An append was refused; the log is asked what became of it. */
  refused(refusal: LogRefusal): void;
  /** What of the batches under way was in the log has landed, and the others are lost. */
  settled(tail: LogTail): void;
  /** The log does not answer. It is asked again with the next `settle`. */
  unanswered(refusal: LogRefusal): void;
  /** `isKnown`: that nothing of the batches under way is in the log. */
  fenced(isKnown: boolean): void;
}

export class Commits {
  private readonly options: CommitsOptions;
  private epoch = 0;
  private isOpened = false;
  private isAsking = false;
  private hasUnsettled = true;
  private isOver = false;

  constructor(options: CommitsOptions) {
    this.options = options;
  }

  /** The log is another owner's: this is final. */
  get isFenced(): boolean {
    return this.isOver;
  }

  /** The log has to be asked, and is not being asked. */
  get mustSettle(): boolean {
    return this.hasUnsettled && !this.isAsking && !this.isOver;
  }

  get isSettling(): boolean {
    return this.isAsking;
  }

  get hasRoom(): boolean {
    return !this.hasUnsettled && !this.isOver && this.options.staging.underWay.length < this.options.appendsMax;
  }

  open(epoch: number): void {
    this.epoch = epoch;
    this.isOpened = false;
    this.settle();
  }

  append(batch: Batch): void {
    const { log, staging } = this.options;
    staging.underWay.push(batch);
    log.append(batch.encode(), (refusal) => this.completed(batch, refusal));
  }

  /** Opens the log, or asks where it stands. */
  settle(): void {
    if (this.isAsking || this.isOver) return;
    this.isAsking = true;
    this.hasUnsettled = true;
    const { log } = this.options;
    const answer = (found: LogTail | LogRefusal) => this.answered(found);
    if (this.isOpened) log.tail(answer);
    else log.open(this.epoch, answer);
  }

  /** Once one was refused, the log's answer counts for those behind it. */
  private completed(batch: Batch, refusal: LogRefusal | undefined): void {
    if (this.hasUnsettled || this.isOver || this.options.staging.underWay[0] !== batch) return;
    if (refusal === undefined) this.options.landed(batch);
    else if (refusal.reason === 'fenced') this.fence(true);
    else {
      this.hasUnsettled = true;
      this.options.refused(refusal);
      this.settle();
    }
  }

  private answered(found: LogTail | LogRefusal): void {
    this.isAsking = false;
    if (isRefusal(found)) {
      if (found.reason === 'fenced') this.fence(false);
      else this.options.unanswered(found);
      return;
    }
    this.isOpened = true;
    const { underWay } = this.options.staging;
    while (underWay.length > 0 && underWay[0]!.commit <= found.position) this.options.landed(underWay[0]!);
    this.hasUnsettled = false;
    this.options.settled(found);
  }

  private fence(isKnown: boolean): void {
    this.isOver = true;
    this.options.fenced(isKnown);
  }
}
