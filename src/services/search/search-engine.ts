/**
 * The search of the thread that has the index. It reads behind the owners of the partitions, who do not know of it.
 *
 * INVARIANT whatever becomes of the index, nothing else of the server waits or fails: an index that is damaged is made
 * anew, and one that cannot be written for the moment is left alone.
 */
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Clock, Problem } from '../../runtime/ports.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { TimeSlices } from '../time-slices.ts';
import { findIn } from './find.ts';
import { IndexFile, type IndexFileOptions } from './index-file.ts';
import { IndexWork } from './index-work.ts';
import { searchLimits } from './limits.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { Search, SearchQuery, SearchState } from './search.ts';
import { isDamage, sentenceOf } from './sqlite.ts';

const { progressMilliseconds } = searchLimits;

/** The path may be `:memory:`, for an index that is lost with the process. */
export interface SearchEngineOptions extends Clock, IndexFileOptions {
  readonly snapshots: Snapshots;
  report(problem: Problem): void;
}

interface OpenIndex {
  readonly file: IndexFile;
  readonly work: IndexWork;
}

export class SearchEngine implements Search {
  private readonly options: SearchEngineOptions;
  private readonly slices = new TimeSlices();
  private readonly oneAtATime: OneAtATime;
  private index: OpenIndex | undefined;
  private problem: { readonly sentence: string; readonly until: number } | undefined;
  private rebuiltAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: SearchEngineOptions) {
    this.options = options;
    this.oneAtATime = new OneAtATime(options.monotonic);
  }

  start(): void {
    this.proceedIn(0);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.index?.file.close();
    this.index = undefined;
  }

  find(query: SearchQuery): Promise<readonly Id[]> {
    return this.oneAtATime.run(query.askerId, () => this.slices.run(this.finding(query)));
  }

  async state(): Promise<SearchState> {
    const state = this.attempt(({ work }) => work.state());
    const unknown = { statuses: 0, bytes: 0, rebuilt: undefined, commitsBehind: 0 };
    return { ...(state ?? unknown), problem: this.problem?.sentence };
  }

  async rebuild(): Promise<SearchState> {
    const asked = this.options.monotonic();
    const hasJustEnded = this.rebuiltAt !== undefined && asked - this.rebuiltAt < 2 * progressMilliseconds;
    // The operator has perhaps made room.
    this.problem = undefined;
    if (!hasJustEnded) this.attempt(({ work }) => work.rebuild());
    while (
      this.timer !== undefined &&
      this.index?.work.isScanning === true &&
      this.problem === undefined &&
      this.options.monotonic() - asked < progressMilliseconds
    )
      await setTimeout(progressMilliseconds / 10);
    return this.state();
  }

  /** Works on the index for a slice. Returns after how many milliseconds to go on. */
  proceed(): number {
    const { monotonic } = this.options;
    if (this.isResting) return searchLimits.lookMilliseconds;
    const begun = monotonic();
    const isOver = () => monotonic() - begun >= searchLimits.sliceMilliseconds;
    const isBehind = this.attempt(({ work }) => work.follow());
    if (isBehind === true) return 0;
    const wasScanning = this.index?.work.isScanning === true;
    const isReading = this.attempt(({ work }) => work.readOn(isOver));
    if (wasScanning && this.index?.work.isScanning === false) this.rebuiltAt = monotonic();
    const isMerging = isReading === false && this.attempt(({ file }) => file.mergeOn());
    // Half of the time is left to others: reading everything takes long.
    return isReading === true || isMerging === true ? monotonic() - begun : searchLimits.lookMilliseconds;
  }

  /** Pauses where others may have their turn. After too long it ends with what it has found. */
  private *finding(query: SearchQuery): Generator<undefined, readonly Id[]> {
    const { monotonic } = this.options;
    if (!this.isResting) this.attempt(({ work }) => work.follow());
    const file = this.attempt((index) => index.file);
    if (file === undefined) throw new Failure('storageUnavailable');
    const steps = findIn(file, query);
    let worked = 0;
    let slice = 0;
    for (;;) {
      const begun = monotonic();
      const step = this.index?.file === file ? this.attempt(() => steps.next()) : undefined;
      // Another index was begun meanwhile, or this one cannot be read.
      if (step === undefined) throw new Failure('storageUnavailable');
      const milliseconds = monotonic() - begun;
      worked += milliseconds;
      slice += milliseconds;
      if (step.done === true || worked >= searchLimits.findMilliseconds) return step.value;
      if (slice < searchLimits.sliceMilliseconds) continue;
      slice = 0;
      yield;
    }
  }

  private proceedIn(milliseconds: number): void {
    this.timer = globalThis.setTimeout(() => {
      const pause = this.proceed();
      if (this.timer !== undefined) this.proceedIn(pause);
    }, milliseconds);
  }

  /** After an error of the disk. */
  private get isResting(): boolean {
    return this.problem !== undefined && this.options.monotonic() < this.problem.until;
  }

  /** Undefined where it failed: the index was removed, or has a problem. */
  private attempt<Result>(act: (index: OpenIndex) => Result): Result | undefined {
    try {
      this.index ??= this.open();
      const result = act(this.index);
      if (!this.isResting) this.problem = undefined;
      return result;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  private open(): OpenIndex {
    const { snapshots } = this.options;
    const file = IndexFile.open(this.options);
    return { file, work: new IndexWork(file, snapshots, this.options) };
  }

  private failed(error: unknown): void {
    const { report, path, monotonic } = this.options;
    if (isDamage(error)) {
      report({ level: 'warn', message: 'the search index is damaged and is built anew', error });
      this.index?.file.close();
      this.index = undefined;
      IndexFile.remove(path);
      return;
    }
    if (this.problem === undefined) report({ level: 'error', message: 'the search index is left alone', error });
    this.problem = { sentence: sentenceOf(error), until: monotonic() + searchLimits.retryMilliseconds };
  }
}
