/**
 * Keeps a partition's memory true to its log, and recovers where it is not: the log refuses or does not answer, the
 * disk cannot be read, or another owner has opened the log.
 *
 * INVARIANTS
 * 1. Nothing runs before everything in the log has landed, or memory was dropped and read again from disk.
 * 2. Every waiting caller gets an answer: a failure where it is certain that nothing was committed, `outcomeUnknown`
 *    where the log does not say.
 */
import type { PartitionPorts } from '../ports.ts';
import { LogContradiction, type LogRefusal, type LogTail, StorageFailure } from '../storage/log.ts';
import { DamagedCounters } from '../storage/log-state.ts';
import { meta } from '../storage/machine.ts';
import type { Alarm } from './alarm.ts';
import type { Batch } from './batch.ts';
import { Commits } from './commits.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Postponed } from './postponed.ts';
import type { Refusals } from './refusals.ts';
import type { Staging } from './staging.ts';
import { hasUndecodable } from './undecodable.ts';

export interface RecoveryOptions {
  readonly partition: number;
  readonly ports: Pick<PartitionPorts, 'log' | 'report'>;
  readonly appendsMax: number;
  readonly staging: Staging;
  readonly mailboxes: Mailboxes;
  readonly postponed: Postponed;
  readonly refusals: Refusals;
  readonly alarm: Alarm;
  landed(batch: Batch): void;
  /** Memory is empty except for waiting calls: read it from disk. */
  read(tail: LogTail): void;
  /** There may be work to do. */
  proceed(): void;
}

export class Recovery {
  readonly commits: Commits;
  private readonly options: RecoveryOptions;
  private mustRead = true;
  /** The counters cannot be decoded, which was reported. */
  private areCountersDamaged = false;
  /** The log is not what it was, which was reported. */
  private hasOtherLog = false;
  private hasRead = false;
  private opened: () => void = () => undefined;

  constructor(options: RecoveryOptions) {
    this.options = options;
    const { ports, staging, appendsMax } = options;
    this.commits = new Commits({
      ...{ log: ports.log, staging, appendsMax },
      landed: (batch) => options.landed(batch),
      refused: (refusal) => this.refused(refusal),
      settled: (tail) => this.settled(tail),
      unanswered: (refusal) => this.unanswered(refusal),
      fenced: (isKnown) => this.fenced(isKnown),
    });
  }

  /** True when memory is that of the disk, and the log belongs to this owner. */
  get isServing(): boolean {
    return !this.mustRead && !this.commits.isFenced;
  }

  /** True during the first opening: calls wait for it. */
  get isOpening(): boolean {
    return !this.hasRead && !this.commits.isFenced;
  }

  /** True from the failure over counters that cannot be decoded until they could be read. */
  get hasDamagedCounters(): boolean {
    return this.areCountersDamaged;
  }

  /** Settles after the first attempt; a failed one is repeated. */
  open(epoch: number): Promise<void> {
    if (this.hasRead) this.drop();
    this.mustRead = true;
    return new Promise((resolve) => {
      this.opened = resolve;
      this.commits.open(epoch);
    });
  }

  /** Continues the recovery that the partition needs before it can work. False when none is needed. */
  goOn(): boolean {
    const { commits, mustRead, options } = this;
    if (commits.mustSettle || (mustRead && options.staging.underWay.length === 0)) commits.settle();
    // Nothing runs, and waiting calls may expire.
    else if (commits.isSettling) options.alarm.wish(options.refusals.nextAt);
    return mustRead || commits.isFenced || commits.isSettling;
  }

  /** Whether the partition can be closed: nothing is being committed, or the log does not answer. */
  finish(): boolean {
    const { commits, options } = this;
    if (commits.isSettling) return false;
    if (commits.mustSettle) options.refusals.refuseUncommitted(options.staging);
    return options.staging.underWay.length === 0;
  }

  /** Runs work that may read the disk outside of a turn. When that fails, everything uncommitted is dropped. */
  guarded(work: () => void): void {
    const { partition, refusals, staging, alarm } = this.options;
    try {
      work();
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      this.report(`partition ${partition} could not read its storage`, error);
      refusals.refuseFilling(staging);
      this.forget();
      this.mustRead = true;
      alarm.failed();
      this.options.proceed();
    }
  }

  private refused(refusal: LogRefusal): void {
    const { partition, alarm } = this.options;
    this.report(`partition ${partition} could not commit`, refusal);
    alarm.failed();
  }

  private settled(tail: LogTail): void {
    const { staging } = this.options;
    this.areCountersDamaged = false;
    this.hasOtherLog = false;
    if (staging.underWay.length > 0) {
      this.drop();
      this.mustRead = true;
    }
    if (this.mustRead)
      this.guarded(() => {
        this.options.read(tail);
        this.mustRead = false;
        this.hasRead = true;
      });
    this.options.proceed();
    this.opened();
  }

  /** Callers do not wait any longer; the log may still answer later. */
  private unanswered(refusal: LogRefusal): void {
    const { partition, refusals, staging, alarm } = this.options;
    this.report(`the log of partition ${partition} does not answer`, refusal);
    refusals.tellUnknown(staging.underWay);
    refusals.refuseWaiting('storageUnavailable');
    alarm.failed();
    this.options.proceed();
    this.opened();
  }

  private fenced(isKnown: boolean): void {
    const { partition, ports, refusals, staging } = this.options;
    const message = `Partition ${partition} was opened by another owner: this one reads and writes nothing of it any more. Only one server may have the data folder.`;
    ports.report({ level: 'error', message });
    if (!isKnown) refusals.tellUnknown(staging.underWay);
    this.drop();
    this.options.proceed();
    this.opened();
  }

  /** Of what goes on until somebody does something only the first failure is told, with what to do. */
  private report(message: string, error: unknown): void {
    const { partition, ports } = this.options;
    const isOfCounters = error instanceof DamagedCounters || (error as Error).cause instanceof DamagedCounters;
    const { cause } = error as Error;
    if (cause instanceof LogContradiction) {
      if (this.hasOtherLog) return;
      this.hasOtherLog = true;
      const sentence = `Partition ${partition} takes no writes any more. ${cause.message} Stop all nodes, and run murmuration cluster repair on each.`;
      ports.report({ level: 'error', message: sentence, error });
    } else if (!isOfCounters) ports.report({ level: 'error', message, error });
    else if (!this.areCountersDamaged) {
      this.areCountersDamaged = true;
      const sentence = `Partition ${partition} ${hasUndecodable(meta)}, and stands still. Nothing was changed. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
      ports.report({ level: 'error', message: sentence, error });
    }
  }

  private drop(): void {
    this.options.refusals.refuseUncommitted(this.options.staging);
    this.forget();
  }

  private forget(): void {
    this.options.mailboxes.clear();
    this.options.postponed.clear();
  }
}
