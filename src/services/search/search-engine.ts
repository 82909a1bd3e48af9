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
import { IndexFile } from './index-file.ts';
import { IndexWork } from './index-work.ts';
import { searchLimits } from './limits.ts';
import { matchOf, matchOfMany } from './match.ts';
import type { Search, SearchQuery, SearchState } from './search.ts';
import { isDamage } from './sqlite.ts';

const { progressMilliseconds } = searchLimits;

export interface SearchEngineOptions extends Clock {
  readonly snapshots: Snapshots;
  /** Where the index is; `:memory:` for one that is lost with the process. */
  readonly path: string;
  /** The identity of the data folder: an index of another one is made anew. */
  readonly folder: string;
  report(problem: Problem): void;
}

interface OpenIndex {
  readonly file: IndexFile;
  readonly work: IndexWork;
}

export class SearchEngine implements Search {
  private readonly options: SearchEngineOptions;
  private index: OpenIndex | undefined;
  private problem: { readonly sentence: string; readonly until: number } | undefined;
  private rebuiltAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: SearchEngineOptions) {
    this.options = options;
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

  async find(query: SearchQuery): Promise<readonly Id[]> {
    if (!this.isResting) this.attempt(({ work }) => work.follow());
    const found = this.attempt(({ file }) => findIn(file, query));
    if (found === undefined) throw new Failure('storageUnavailable');
    return found;
  }

  async state(): Promise<SearchState> {
    const state = this.attempt(({ work }) => work.state());
    const unknown = { statuses: 0, bytes: 0, rebuilt: undefined, commitsBehind: 0 };
    return { ...(state ?? unknown), problem: this.problem?.sentence };
  }

  async rebuild(): Promise<SearchState> {
    const asked = this.options.monotonic();
    const hasJustEnded = this.rebuiltAt !== undefined && asked - this.rebuiltAt < 2 * progressMilliseconds;
    if (!hasJustEnded) this.attempt(({ work }) => work.rebuild());
    while (
      this.timer !== undefined &&
      this.index?.work.isScanning === true &&
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
    // Half of the time is left to others: reading everything takes long.
    return isReading === true ? monotonic() - begun : searchLimits.lookMilliseconds;
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
    const sentence = error instanceof Error ? error.message : String(error);
    this.problem = { sentence, until: monotonic() + searchLimits.retryMilliseconds };
  }
}

function findIn(file: IndexFile, query: SearchQuery): Id[] {
  const { minId, maxId, limit, askerId, scope } = query;
  const found = file.find(matchOf(query), minId, maxId, limit);
  if (scope === 'public') return found;
  const ofMany = file.find(matchOfMany(query), minId, maxId, limit, askerId);
  if (ofMany.length === 0) return found;
  const all = [...new Set([...found, ...ofMany])];
  return all.sort((one, other) => (one > other ? -1 : 1)).slice(0, limit);
}
