/**
 * Effects between the commit that asks for them and the commit of their answer: started in the order of asking, with a
 * bound on how many run at once, and run again when their runner failed.
 *
 * INVARIANTS
 * 1. An effect runs only after the commit that holds its record. Those that wait for room are on disk only.
 * 2. An outcome is kept until the commit in which it has run. When that commit is lost it runs again, and the outside
 *    world is asked nothing again.
 * 3. A runner that never answers counts as failed after a while: it may run twice at a time, and never waits for ever.
 * 4. A record that cannot be decoded runs nothing: its outcome is a failure, and the turn of that sets it aside.
 * 5. Effects that wait, or are to run again, are asked for one by one: after a start thousands may be due at once.
 */
import type { ActorKey } from '../contract.ts';
import { partitionLimits } from '../limits.ts';
import type { PartitionPorts } from '../ports.ts';
import { effectRecords, effects, type PendingEffect } from '../storage/machine.ts';
import type { Reader } from '../storage/reader.ts';
import type { Batch } from './batch.ts';
import { Fifo } from './fifo.ts';
import { decodeRecord } from './undecodable.ts';

interface UnderWay {
  readonly asker: ActorKey;
  readonly bytes: number;
  failures: number;
  /** When to run it again, after its runner failed. */
  retryAt: number | undefined;
  /** When a runner that has not answered counts as failed. */
  silentAt: number;
  /** It is among those that run again next. */
  isDue: boolean;
}

/** Of batches that are not on disk yet. */
export interface EffectsStaged {
  readonly count: number;
  readonly bytes: number;
}

export type EffectOutcome = { readonly answer: unknown } | { readonly failure: string };

export interface SettledEffect {
  readonly sequence: number;
  readonly outcome: EffectOutcome;
}

export class AskedEffects {
  private readonly partition: number;
  private readonly ports: Pick<PartitionPorts, 'clock' | 'runEffect'>;
  /** Reads committed state. */
  private readonly reader: Reader;
  private readonly underWay = new Map<number, UnderWay>();
  private underWayBytes = 0;
  /** Bytes of the records of all unsettled effects. */
  private pendingBytesNow = 0;
  /** How often effects were run again. */
  repeats = 0;
  private readonly outcomes = new Map<number, EffectOutcome>();
  private readonly toRun = new Fifo<number>();
  /** Effects that are asked for again as soon as there is time. */
  private readonly due = new Fifo<number>();
  /** The last effect on disk, and the last of these that was started. */
  private durable = 0;
  private asked = 0;
  /** No pause of an effect under way ends before this, and no silent runner counts as failed. */
  private nextDueAt = Number.POSITIVE_INFINITY;

  constructor(partition: number, ports: Pick<PartitionPorts, 'clock' | 'runEffect'>, reader: Reader) {
    this.partition = partition;
    this.ports = ports;
    this.reader = reader;
  }

  /** `lastSequence`: of the effects on disk. Running effects continue; outcomes that were not committed run again. */
  open(lastSequence: number): void {
    this.durable = lastSequence;
    this.pendingBytesNow = 0;
    for (const { value } of this.reader.range(effectRecords, [])) this.pendingBytesNow += value.byteLength;
    this.toRun.clear();
    for (const sequence of [...this.outcomes.keys()]) {
      if (this.reader.get(effectRecords, [sequence]) === undefined) this.forget(sequence);
      else this.toRun.push(sequence);
    }
  }

  /** Unsettled effects, including those that wait on disk. */
  get pending(): number {
    return this.underWay.size + this.durable - this.asked;
  }

  get pendingBytes(): number {
    return this.pendingBytesNow;
  }

  /**
   * Whether a turn may ask for another effect, beside those of batches that are not on disk yet. Messages that cannot be
   * refused have a higher bound than calls.
   */
  hasRoomFor({ mayBeRefused }: { readonly mayBeRefused: boolean }, staged: EffectsStaged): boolean {
    const { effectsMax, effectsBytesMax, effectsOverflowFactor } = partitionLimits;
    const factor = mayBeRefused ? 1 : effectsOverflowFactor;
    const count = this.pending + staged.count;
    const bytes = this.pendingBytesNow + staged.bytes;
    return count < factor * effectsMax && bytes < factor * effectsBytesMax;
  }

  get hasWork(): boolean {
    return this.toRun.length > 0 || this.due.length > 0 || this.hasWaiting;
  }

  /** When the next failed or silent effect is due. */
  get nextAt(): number {
    return this.nextDueAt;
  }

  /** The batch is durable: effects that it asks for may run, and those that it settles are done. */
  released(batch: Batch): void {
    for (const { sequence, bytes } of batch.settledEffects) {
      this.pendingBytesNow -= bytes;
      this.forget(sequence);
    }
    for (const { sequence, effect, request, asker, bytes, cause } of batch.effects) {
      const isNext = this.asked === this.durable;
      this.durable = sequence;
      this.pendingBytesNow += bytes;
      if (!isNext || !this.hasRoom) continue;
      this.putUnderWay(sequence, asker, bytes);
      this.ports.runEffect(this.partition, sequence, effect, request, asker, cause);
    }
  }

  /** Only the first answer counts. */
  answered(sequence: number, answer: unknown): void {
    this.settle(sequence, { answer });
  }

  /** The runner failed: the effect runs again after a pause that doubles, and finally becomes a dead letter. */
  failed(sequence: number, reason: string): void {
    const { effectAttemptsMax, effectRetryMilliseconds, effectRetryMillisecondsMax } = partitionLimits;
    const entry = this.underWay.get(sequence);
    if (entry === undefined || entry.isDue || entry.retryAt !== undefined || this.outcomes.has(sequence)) return;
    entry.failures += 1;
    if (entry.failures >= effectAttemptsMax) {
      this.settle(sequence, { failure: reason });
      return;
    }
    const pause = Math.min(effectRetryMilliseconds * 2 ** (entry.failures - 1), effectRetryMillisecondsMax);
    entry.retryAt = this.ports.clock.monotonic() + pause;
    this.nextDueAt = Math.min(this.nextDueAt, entry.retryAt);
  }

  /** Notes the effects that are due again. */
  retry(now: number): void {
    if (now < this.nextDueAt) return;
    this.nextDueAt = Number.POSITIVE_INFINITY;
    for (const [sequence, entry] of this.underWay) {
      if (entry.isDue || this.outcomes.has(sequence)) continue;
      if (entry.retryAt === undefined && entry.silentAt <= now) this.failed(sequence, 'its runner has not answered');
      if (entry.retryAt !== undefined && entry.retryAt <= now) this.becomesDue(sequence, entry);
      else this.nextDueAt = Math.min(this.nextDueAt, entry.retryAt ?? entry.silentAt);
    }
  }

  /** Asks for the next effect that is due again, or that waits and has room. False when there is none. */
  askNext(): boolean {
    return this.repeatNext() || this.startNext();
  }

  private repeatNext(): boolean {
    for (let sequence = this.due.peek(); sequence !== undefined; sequence = this.due.peek()) {
      const entry = this.underWay.get(sequence);
      const isWanted = entry !== undefined && !this.outcomes.has(sequence);
      // It stays due where its record cannot be read.
      if (isWanted) this.run(sequence, entry);
      this.due.shift();
      if (entry !== undefined) entry.isDue = false;
      if (isWanted) return true;
    }
    return false;
  }

  /** The thread that ran the effects of these actors was replaced: those under way run again. */
  repeat(isLost: (asker: ActorKey) => boolean): void {
    for (const [sequence, entry] of this.underWay)
      if (isLost(entry.asker) && entry.retryAt === undefined && !entry.isDue && !this.outcomes.has(sequence))
        this.becomesDue(sequence, entry);
  }

  /** The next outcome that has not run yet. */
  take(): SettledEffect | undefined {
    const sequence = this.toRun.shift();
    return sequence === undefined ? undefined : { sequence, outcome: this.outcomes.get(sequence)! };
  }

  private settle(sequence: number, outcome: EffectOutcome): void {
    if (sequence > this.durable || this.outcomes.has(sequence)) return;
    this.outcomes.set(sequence, outcome);
    this.toRun.push(sequence);
  }

  private becomesDue(sequence: number, entry: UnderWay): void {
    entry.isDue = true;
    this.due.push(sequence);
  }

  private run(sequence: number, entry: UnderWay): void {
    const record = this.reader.get(effectRecords, [sequence]);
    this.repeats += 1;
    entry.retryAt = undefined;
    entry.silentAt = this.silentFromNow();
    const pending = record === undefined ? undefined : this.decoded(sequence, record);
    if (pending !== undefined)
      this.ports.runEffect(this.partition, sequence, pending.effect, pending.request, pending.key, pending.cause);
  }

  /** Undefined for a record that cannot be decoded: its effect has failed. */
  private decoded(sequence: number, record: Uint8Array): PendingEffect | undefined {
    try {
      return decodeRecord(effects, record);
    } catch (error) {
      this.settle(sequence, { failure: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  private get hasRoom(): boolean {
    const { effectsUnderWayMax, effectsUnderWayBytesMax } = partitionLimits;
    return this.underWay.size < effectsUnderWayMax && this.underWayBytes < effectsUnderWayBytesMax;
  }

  private putUnderWay(sequence: number, asker: ActorKey, bytes: number): void {
    this.asked = sequence;
    this.underWay.set(sequence, {
      ...{ asker, bytes, failures: 0, retryAt: undefined, silentAt: this.silentFromNow(), isDue: false },
    });
    this.underWayBytes += bytes;
  }

  private silentFromNow(): number {
    const silentAt = this.ports.clock.monotonic() + partitionLimits.effectSilenceMilliseconds;
    this.nextDueAt = Math.min(this.nextDueAt, silentAt);
    return silentAt;
  }

  /** Whether one that is only on disk may be started. */
  private get hasWaiting(): boolean {
    return this.asked < this.durable && this.hasRoom;
  }

  private startNext(): boolean {
    if (!this.hasWaiting) return false;
    const [next] = this.reader.range(effectRecords, [], { from: this.asked + 1, until: this.durable + 1, limit: 1 });
    if (next === undefined) {
      this.asked = this.durable;
      return false;
    }
    const [sequence] = next.key;
    const pending = this.decoded(sequence, next.value);
    if (pending === undefined) this.asked = sequence;
    else {
      const { effect, request, key: asker, cause } = pending;
      this.putUnderWay(sequence, asker, next.value.byteLength);
      if (!this.outcomes.has(sequence)) this.ports.runEffect(this.partition, sequence, effect, request, asker, cause);
    }
    return true;
  }

  private forget(sequence: number): void {
    this.outcomes.delete(sequence);
    this.underWayBytes -= this.underWay.get(sequence)?.bytes ?? 0;
    this.underWay.delete(sequence);
  }
}
