/**
 * Appends batches to the log through a window, reports each that is committed, and settles those that the log refuses.
 *
 * INVARIANTS
 * 1. Each batch that is in the log is reported once, as `landed`, in the order of the appends; any other never is.
 * 2. After a refusal nothing is appended before the log has told where it stands.
 * 3. Once another owner has opened the log, it is not used any more.
 */
import { isRefusal, type LogRefusal, type LogTail, type PartitionLog } from '../storage/log.ts';
import type { Batch } from './batch.ts';
import type { Staging } from './staging.ts';

export interface CommitsOptions {
  readonly log: PartitionLog;
  readonly staging: Staging;
  /** Concurrent appends. */
  readonly appendsMax: number;
  landed(batch: Batch): void;
  /** An append was refused; the log is being asked what became of it. */
  refused(refusal: LogRefusal): void;
  /** The batches under way that are in the log have landed; the others are lost. */
  settled(tail: LogTail): void;
  /** The log does not answer. The next `settle` asks again. */
  unanswered(refusal: LogRefusal): void;
  /** Another owner has opened the log. `isKnown`: it is certain that none of the batches under way is in it. */
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

  /** The log belongs to another owner, for good. */
  get isFenced(): boolean {
    return this.isOver;
  }

  /** True when the log has to be asked where it stands, and is not being asked yet. */
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

  /** After a refusal, the log's `tail` decides about the batches behind it. */
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
