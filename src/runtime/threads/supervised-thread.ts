/**
 * One name among the threads, with the worker that has it now: starting it, posting to it, ending it, and how often it
 * died. Whether a dead one is replaced is the supervisor's decision.
 */
import { type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { threadLimits } from '../limits.ts';
import { allocateMetrics } from '../metrics/layout.ts';
import type { MeasuringThread } from '../metrics/reading.ts';
import type { Problem } from '../ports.ts';
import type { SpanBatch } from '../tracing/span-recorder.ts';
import { systemClock } from './clock.ts';
import { interruptThread } from './interrupt.ts';
import type { MainWatchStart } from './main-watch.ts';
import type { SupervisorMessage, ThreadReport } from './messages.ts';
import { Pulse } from './pulse.ts';
import type { Role, ThreadCounts, ThreadName } from './role.ts';
import type { ThreadStart } from './thread.ts';
import type { TurnWatchReader } from './turn-watch.ts';
import { noSilence, type Watched } from './watch.ts';

/** The same for all threads of a supervisor. */
export interface WorkerOptions<Shared> {
  readonly entry: URL;
  readonly shared: Shared;
  readonly boot: number;
  report(problem: Problem): void;
  /** What threads tell of traced requests. */
  spans?: ((batch: SpanBatch) => void) | undefined;
}

export type AdminReply = Exclude<ThreadReport, { type: 'ready' | 'stopped' | 'spans' }>;

export interface SupervisedName {
  readonly name: ThreadName;
  readonly role: Role;
  /** Of all roles. */
  readonly counts: ThreadCounts;
  /** For owners. */
  readonly record: TurnWatchReader | undefined;
  readonly mainWatch: MainWatchStart;
  /** The metrics memory of all threads, once all have one. */
  measured(): readonly MeasuringThread[];
}

export interface ThreadHooks {
  adminReplied(reply: AdminReply): void;
  /** The worker has ended, for whatever reason. */
  ended(thread: SupervisedThread): void;
}

const megabyte = 1024 * 1024;

/** Options that are not given have V8's defaults. */
function resourceLimitsOf({ heapBytesMax, youngBytesMax }: Role): ResourceLimits {
  return {
    ...(heapBytesMax === undefined ? {} : { maxOldGenerationSizeMb: heapBytesMax / megabyte }),
    ...(youngBytesMax === undefined ? {} : { maxYoungGenerationSizeMb: youngBytesMax / megabyte }),
  };
}

export class SupervisedThread implements Watched {
  readonly name: ThreadName;
  readonly role: Role;
  readonly title: string;
  readonly pulse = new Pulse();
  readonly metrics = allocateMetrics();
  readonly record: TurnWatchReader | undefined;
  /** The current worker is ready, and is not being ended. */
  isReady = false;
  silence = noSilence;
  isSilent = false;
  /** Is being ended because it hangs. */
  isHung = false;
  /** Was ready once: from then on a dead worker is replaced. */
  hasStarted = false;
  /** Settles when the current worker is ready; rejects when it ends before. */
  ready: Promise<void> = Promise.resolve();
  private readonly counts: ThreadCounts;
  private readonly mainWatch: MainWatchStart;
  private readonly measured: SupervisedName['measured'];
  private readonly options: WorkerOptions<unknown>;
  private readonly hooks: ThreadHooks;
  /** Undefined until it is its role's turn to start; messages posted before are kept. */
  private worker: Worker | undefined;
  private readonly unsent: { message: SupervisorMessage; transfer: readonly MessagePort[] }[] = [];
  private life = -1;
  /** Has closed everything, and may be terminated. */
  private hasStopped = false;
  private exited: Promise<void> = Promise.resolve();
  /** Times of deaths: outside of turns, and during one. */
  private readonly deaths: number[] = [];
  private readonly turnDeaths: number[] = [];

  constructor(
    { name, role, counts, record, mainWatch, measured }: SupervisedName,
    options: WorkerOptions<unknown>,
    hooks: ThreadHooks,
  ) {
    this.name = name;
    this.role = role;
    this.counts = counts;
    this.title = `${name.role} thread ${name.index}`;
    this.record = record;
    this.mainWatch = mainWatch;
    this.measured = measured;
    this.options = options;
    this.hooks = hooks;
  }

  get isSpawned(): boolean {
    return this.worker !== undefined;
  }

  /** Starts a worker under this name. */
  spawn(): void {
    const { boot, shared, entry } = this.options;
    this.life += 1;
    this.isReady = false;
    this.isSilent = false;
    this.silence = noSilence;
    this.isHung = false;
    const { name, pulse, record, metrics } = this;
    pulse.reset();
    const start: ThreadStart<unknown> = {
      ...{ name, boot, shared, metrics },
      counts: this.counts,
      life: this.life,
      pulse: pulse.memory,
      mainWatch: this.mainWatch,
      measured: this.measured(),
    };
    const worker = new Worker(entry, {
      workerData: record === undefined ? start : { ...start, watch: record.start() },
      resourceLimits: resourceLimitsOf(this.role),
    });
    this.worker = worker;
    for (const { message, transfer } of this.unsent.splice(0)) worker.postMessage(message, transfer);
    this.hasStopped = false;
    this.exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.ready = this.listenTo(worker);
    // Awaited for the first start only. For a replacement, `ended` reports the end.
    this.ready.catch(() => undefined);
  }

  post(message: SupervisorMessage, transfer: readonly MessagePort[] = []): void {
    if (this.worker === undefined) this.unsent.push({ message, transfer });
    else this.worker.postMessage(message, transfer);
  }

  /** Records the death of the worker. True when there were too many lately to start another. */
  isDeathTooMany(): boolean {
    const diedInTurn = this.record?.died() === true;
    return diedInTurn
      ? isOneTooMany(this.turnDeaths, threadLimits.turnDeathsMax)
      : isOneTooMany(this.deaths, threadLimits.deathsMax);
  }

  /**
   * Ends the hanging worker; its exit makes room for a replacement. False when it cannot be ended alone: it may have
   * native sockets, which end the process unless closed.
   */
  async endHung(): Promise<boolean> {
    this.isHung = true;
    const worker = this.worker!;
    const place = await interruptThread(worker);
    if (place === undefined && !this.role.isTerminable) return false;
    if (place) this.options.report({ level: 'error', message: `${this.title} hung here:\n${place}` });
    await worker.terminate();
    return true;
  }

  /** Stops the worker. False when it does not end and cannot be terminated. */
  async end(deadlineMilliseconds: number): Promise<boolean> {
    if (this.worker === undefined) return true;
    this.post({ type: 'stop' });
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      deadline = setTimeout(() => resolve('late'), deadlineMilliseconds);
    });
    const outcome = await Promise.race([this.exited, late]);
    clearTimeout(deadline);
    if (outcome !== 'late') return true;
    this.options.report({ level: 'error', message: `${this.title} did not stop in time` });
    if (!this.role.isTerminable && !this.hasStopped) return false;
    await this.worker.terminate();
    return true;
  }

  private listenTo(worker: Worker): Promise<void> {
    const { title } = this;
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      worker.on('message', (message: ThreadReport) => {
        if (message.type === 'ready') {
          this.hasStarted = true;
          this.isReady = true;
          resolve();
        } else if (message.type === 'stopped') this.hasStopped = true;
        else if (message.type === 'spans') this.options.spans?.(message.batch);
        else this.hooks.adminReplied(message);
      });
      worker.on('error', (error) => {
        this.options.report({ level: 'error', message: `${title} failed`, error });
        failure = error;
      });
      worker.on('exit', (code) => {
        // The 'error' event may come before earlier messages of the thread; 'exit' does not.
        reject(failure ?? new Error(`${title} has ended with code ${code}`));
        this.hooks.ended(this);
      });
    });
  }
}

/** Records a death at this moment. */
function isOneTooMany(deaths: number[], deathsMax: number): boolean {
  const now = systemClock.monotonic();
  deaths.push(now);
  while (deaths[0]! <= now - threadLimits.deathWindowMilliseconds) deaths.shift();
  return deaths.length > deathsMax;
}
