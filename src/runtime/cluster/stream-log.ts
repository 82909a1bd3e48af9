/**
 * A partition whose log is a stream on other machines, and whose local store is a view of it.
 *
 *   append -> stream, several may be under way -> confirmed -> applied to the view -> completed
 *
 * INVARIANTS
 * 1. An append counts as confirmed only at the position that it expected, behind all appends before it.
 * 2. Where the stream does not confirm, it is read: an append that is found there is confirmed, one that is not is sent
 *    again for the position that follows, and a record of another owner ends this one.
 * 3. After a refusal nothing is accepted before `tail` has answered. If an append without an answer may still arrive, a
 *    barrier has taken its place before that.
 * 4. The view has nothing that the stream has not confirmed.
 */
import {
  isRefusal,
  type LogBatch,
  type LogRecord,
  LogRefusal,
  type LogTail,
  type PartitionLog,
  type StorageReader,
  type TailAnswer,
} from '../storage/log.ts';
import { barrier } from '../storage/log-state.ts';
import { Chain, type ChainPlace } from './chain.ts';
import { chainOf } from './chain-of-view.ts';
import { endBehind, recordsBehind, recordsBetween, truncation } from './kept-records.ts';
import { type Patience, refusalOf, workPatiently } from './patience.ts';
import { type Sealed, Sealer } from './sealer.ts';
import { type LogStream, type Published, StreamUnanswered } from './stream.ts';
import { areSame } from './stream-record.ts';
import { type Applied, StreamView, type ViewStore } from './view.ts';

export interface StreamLogOptions extends Patience {
  readonly stream: LogStream;
  readonly store: ViewStore;
  /** Random: of this opening and no other. */
  readonly writer: string;
}

/** Applied in one transaction while the view catches up. */
const appliedAtOnce = { batches: 256, bytes: 4 * 1024 * 1024 } as const;

type Completed = (refusal: LogRefusal | undefined) => void;

interface Sent extends Sealed {
  isStored: boolean;
  /** Of the record that completes an append. */
  readonly completes: { readonly batch: LogBatch; readonly completed: Completed } | undefined;
}

interface Confirmed extends Applied {
  readonly completed: Completed;
}

export class StreamLog implements PartitionLog {
  readonly reader: StorageReader;
  private readonly options: StreamLogOptions;
  private readonly view: StreamView;
  private chain = new Chain();
  /** The end of the stream when it was last asked for. */
  private seenEnd = 0;
  /** Of records, since this was made. */
  bytesRead = 0;
  private sealer: Sealer | undefined;
  private epoch = 0;
  private isOpened = false;
  /** Of the last record that was sent. */
  private sentTo = 0;
  private inFlight = 0;
  /** Records that are not confirmed, oldest first. */
  private queue: Sent[] = [];
  private confirmed: Confirmed[] = [];
  private isApplying = false;
  private isTroubled = false;
  /** The highest position behind which a record may still arrive whose sender heard nothing of it. */
  private mayArriveBehind = -1;
  private refusal: LogRefusal | undefined = new LogRefusal('unknown');
  private mustReadView = true;
  /** How often the view could not take what was confirmed. */
  private lags = 0;
  private work: Promise<void> = Promise.resolve();
  private idle: (() => void) | undefined;

  constructor(options: StreamLogOptions) {
    this.options = options;
    this.view = new StreamView(options.store);
    this.reader = options.store.reader;
  }

  open(epoch: number, answer: TailAnswer): void {
    this.ask(answer, async () => {
      this.isOpened = false;
      await this.catchUpNow();
      this.epoch = epoch;
      this.sealer = new Sealer(this.options.writer, await this.options.stream.recordBytesMax(), this.sealer);
      await this.raiseBarrier();
      this.isOpened = true;
    });
  }

  tail(answer: TailAnswer): void {
    this.ask(answer, async () => {
      if (!this.isOpened) throw this.refusal ?? new LogRefusal('unknown');
      await this.catchUpNow();
      if (this.mayArriveBehind >= this.chain.sequence) await this.raiseBarrier();
    });
  }

  append(batch: LogBatch, completed: Completed): void {
    if (this.refusal !== undefined) {
      setImmediate(completed, this.refusal);
      return;
    }
    const sealed = this.sealer!.sealBatch(batch, this.epoch);
    const added = sealed.map((record, index): Sent => {
      const completes = index === sealed.length - 1 ? { batch, completed } : undefined;
      return { ...record, isStored: false, completes };
    });
    this.queue.push(...added);
    if (!this.isTroubled) this.send(added);
  }

  /** Records that the stream had when it was last asked, and that were not read yet. */
  get unread(): number {
    return Math.max(0, this.seenEnd - this.chain.sequence);
  }

  get sequence(): number {
    return this.chain.sequence;
  }

  /** Applies what the stream has, without becoming its owner. Rejects with the refusal. */
  catchUp(): Promise<void> {
    return new Promise((resolve, reject) => {
      const answer: TailAnswer = (found) => (isRefusal(found) ? reject(found) : resolve());
      this.question(answer, async () => {
        await this.catchUpNow();
        return this.view.tail();
      });
    });
  }

  async *read(after: number): AsyncGenerator<LogRecord> {
    yield* recordsBetween(this.options.stream, after);
  }

  async truncate(position: number): Promise<void> {
    const from = await truncation(this.options.stream, position, this.view.place()?.sequence ?? 0);
    if (from !== undefined) await this.options.stream.truncate(from);
  }

  async close(): Promise<void> {
    this.refusal ??= new LogRefusal('unknown');
    await this.work;
    await this.settled();
    await this.options.stream.close();
    await this.options.store.close();
  }

  // What is under way

  private send(records: readonly Sent[]): void {
    for (const sent of records) {
      const last = this.sentTo;
      this.sentTo += 1;
      this.inFlight += 1;
      void this.options.stream.publish(sent.bytes, last).then((published) => {
        this.inFlight -= 1;
        if (isStoredBehind(last, published)) sent.isStored = true;
        else this.doubt(last, published);
        if (!this.isTroubled) this.confirm();
        else if (this.inFlight === 0) this.settle();
        this.tellIdle();
      });
    }
  }

  private doubt(last: number, { kind }: Published): void {
    this.isTroubled = true;
    if (kind === 'unanswered') this.mayArriveBehind = Math.max(this.mayArriveBehind, last);
  }

  /** The oldest records follow each other in the stream. */
  private confirm(): void {
    while (this.queue[0]?.isStored === true) this.follow(this.queue[0], this.chain.sequence + 1);
  }

  private follow(sent: Sent, sequence: number): void {
    const place: ChainPlace = { sequence, digest: sent.digest };
    this.chain.follow(sent.record, place);
    this.landed(sent, place);
  }

  private landed({ completes }: Sent, place: ChainPlace): void {
    this.queue.shift();
    if (completes === undefined) return;
    this.confirmed.push({ ...completes, place });
    this.applyNext();
  }

  /** One after the other: a partition hears of each before it can see the next. */
  private applyNext(): void {
    const [next] = this.confirmed;
    if (this.isApplying || next === undefined) return;
    this.isApplying = true;
    this.view.apply([next], (refusal) => {
      this.isApplying = false;
      if (refusal !== undefined) this.lag(refusal);
      else {
        this.confirmed.shift();
        next.completed(undefined);
        this.applyNext();
      }
      this.tellIdle();
    });
  }

  /** The stream has what the view could not take. */
  private lag(cause: unknown): void {
    this.mustReadView = true;
    this.lags += 1;
    const lagging = this.confirmed.splice(0);
    const refusal = new LogRefusal('unknown', cause);
    this.refusal = refusal;
    for (const { completed } of lagging) completed(refusal);
    this.refuseQueue(refusal);
  }

  private refuseQueue(refusal: LogRefusal): void {
    this.refusal = refusal;
    if (this.inFlight > 0) this.mayArriveBehind = Math.max(this.mayArriveBehind, this.sentTo);
    for (const { completes } of this.queue.splice(0)) completes?.completed(refusal);
  }

  // Where the stream did not confirm

  /** Sends again what was under way, one record after the other; what was added since goes on as usual. */
  private settle(): void {
    this.alone(async () => {
      const doubtful = new Set(this.queue);
      const refusal = await this.patiently(async () => {
        while (doubtful.has(this.queue[0]!)) await this.sendOldest();
      });
      if (refusal !== undefined) {
        // What was confirmed before is told first.
        await this.settled();
        this.refuseQueue(refusal);
        return;
      }
      this.isTroubled = false;
      this.sentTo = this.chain.sequence;
      this.send(this.queue);
    });
  }

  private async sendOldest(): Promise<void> {
    await this.readOn();
    const [oldest] = this.queue;
    if (oldest === undefined) return;
    const last = this.chain.sequence;
    const published = await this.options.stream.publish(oldest.bytes, last);
    if (!isStoredBehind(last, published)) throw this.refused(last, published);
    this.follow(oldest, published.sequence);
  }

  /** Why a record was not stored. A conflict has brought something to read, unless somebody was behind. */
  private refused(last: number, published: Published): Error {
    if (published.kind === 'full') return new LogRefusal('full', published.cause);
    if (published.kind !== 'unanswered') return new StreamUnanswered(new Error('the stream ends elsewhere'));
    this.mayArriveBehind = Math.max(this.mayArriveBehind, last);
    return new StreamUnanswered(published.cause);
  }

  private patiently(work: () => Promise<void>): Promise<LogRefusal | undefined> {
    return workPatiently(work, this.options);
  }

  // Reading

  private async catchUpNow(): Promise<void> {
    if (this.mustReadView) this.chain = await chainOf(this.view, this.options.stream, this.options);
    await this.readOn();
  }

  /** Reads what follows, through whoever decides about appends. Throws a refusal where another owner has begun. */
  private async readOn(): Promise<void> {
    const { lags, options } = this;
    const { stream } = options;
    const last = await endBehind(stream, this.chain.sequence, options);
    this.seenEnd = last;
    const caught: Applied[] = [];
    let bytes = 0;
    for await (const stored of recordsBehind(stream, this.chain.sequence, { last, waiting: options })) {
      // What follows does not belong into a view that lacks what was confirmed before.
      if (this.lags !== lags) throw this.refusal!;
      this.bytesRead += stored.bytes.byteLength;
      const counted = this.chain.take(stored);
      if (counted === undefined) continue;
      const { record, digest, batch, sequence } = counted;
      const [oldest] = this.queue;
      if (oldest !== undefined && areSame(oldest.digest, digest)) this.landed(oldest, { sequence, digest });
      else if (this.isOpened && record.writer !== this.options.writer) throw this.fenced();
      else if (batch !== undefined) {
        // Until it is applied, what is read here is not in the view.
        this.mustReadView = true;
        caught.push({ batch, place: { sequence, digest } });
        bytes += stored.bytes.byteLength;
        if (caught.length < appliedAtOnce.batches && bytes < appliedAtOnce.bytes) continue;
        await this.applyNow(caught.splice(0));
        bytes = 0;
      }
    }
    if (caught.length > 0) await this.applyNow(caught);
    this.mustReadView &&= this.lags !== lags;
  }

  private fenced(): LogRefusal {
    this.isOpened = false;
    return new LogRefusal('fenced');
  }

  private async applyNow(applied: readonly Applied[]): Promise<void> {
    const refusal = await new Promise<LogRefusal | undefined>((resolve) => this.view.apply(applied, resolve));
    if (refusal === undefined) return;
    this.mustReadView = true;
    throw new LogRefusal('unknown', refusal);
  }

  /** Takes the next place in the stream: whatever was sent for it before cannot arrive any more. */
  private async raiseBarrier(): Promise<void> {
    const refusal = await this.patiently(() => this.tryBarrier());
    if (refusal !== undefined) throw refusal;
    this.mayArriveBehind = -1;
  }

  private async tryBarrier(): Promise<void> {
    // One that was not answered may have arrived.
    await this.catchUpNow();
    const { epoch, position } = this.view.tail();
    if (epoch > this.epoch) throw this.fenced();
    const batch = epoch === this.epoch ? { keys: [], values: [] } : barrier(this.reader, this.epoch);
    const sealed = this.sealer!.sealBarrier(batch, { epoch: this.epoch, position, previous: this.chain.digest });
    const last = this.chain.sequence;
    const published = await this.options.stream.publish(sealed.bytes, last);
    if (!isStoredBehind(last, published)) throw this.refused(last, published);
    const place = { sequence: published.sequence, digest: sealed.digest };
    this.chain.follow(sealed.record, place);
    await this.applyNow([{ batch, place }]);
  }

  // Questions

  /** Answers with where the log stands afterwards, and takes appends again. */
  private ask(answer: TailAnswer, work: () => Promise<void>): void {
    this.question(answer, async () => {
      await work();
      const tail = this.view.tail();
      this.sealer!.goOn(this.chain.digest, tail.position);
      this.sentTo = this.chain.sequence;
      this.isTroubled = false;
      this.refusal = undefined;
      return tail;
    });
  }

  private question(answer: TailAnswer, work: () => Promise<LogTail>): void {
    this.alone(async () => {
      answer(
        await work().catch((error: unknown) => {
          this.refusal = refusalOf(error);
          return this.refusal;
        }),
      );
    });
  }

  private alone(work: () => Promise<void>): void {
    this.work = this.work.then(async () => {
      await this.settled();
      await work();
    });
  }

  /** Settles when no record is on its way and everything confirmed is applied. */
  private async settled(): Promise<void> {
    while (this.inFlight > 0 || this.isApplying) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private tellIdle(): void {
    if (this.inFlight > 0 || this.isApplying) return;
    this.idle?.();
    this.idle = undefined;
  }
}

function isStoredBehind(last: number, published: Published): published is Extract<Published, { kind: 'stored' }> {
  return published.kind === 'stored' && published.sequence === last + 1;
}
