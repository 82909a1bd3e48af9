/**
 * The main thread: starts the others, connects every pair that communicates, replaces one that dies or hangs, and stops
 * them in an order in which nothing acknowledged is lost. What it must know of a role is declared with it (role.ts).
 *
 * Roles whose answers clients wait for load early, side by side. The others start when those are ready, to leave them the
 * cores; messages to them wait in their ports until then.
 *
 * INVARIANTS
 * 1. A thread that dies before it was ever ready ends the start, and what was started is stopped. Later it is replaced.
 * 2. A thread that keeps dying ends the server, after the others were stopped in order.
 * 3. A stop during the start ends it: what was not started by then never is.
 * 4. A thread whose event loop hangs is replaced, whatever its role (watch.ts). The main thread itself is watched by the
 *    others (main-watch.ts).
 */
import { MessageChannel } from 'node:worker_threads';
import { threadLimits } from '../limits.ts';
import { allocateMetrics } from '../metrics/layout.ts';
import { counter, gauge } from '../metrics/metric.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { MeasuringThread } from '../metrics/reading.ts';
import { AdminRequests } from './admin-requests.ts';
import { allocateBacklog } from './backlog.ts';
import { systemClock } from './clock.ts';
import { allocateMainWatchState, type MainWatchLimits, type MainWatchStart } from './main-watch.ts';
import { PoisonList, type PoisonStore } from './poison.ts';
import { Pulse, startBeating } from './pulse.ts';
import { areLinked, countsOf, ownerRole, type Role, type ThreadCounts, type ThreadName, threadsOf } from './role.ts';
import { systemScheduler } from './scheduler.ts';
import { SupervisedThread, type WorkerOptions } from './supervised-thread.ts';
import { TurnWatchReader } from './turn-watch.ts';
import { ThreadWatch, type WatchLimits } from './watch.ts';

export interface SupervisorOptions<Shared> extends WorkerOptions<Shared> {
  /** In the order in which they start. */
  readonly roles: readonly Role[];
  /** A thread keeps dying and the others were stopped: the process should end. `clean` as the result of `stop`. */
  gaveUp(clean: boolean): void;
  /** Stores poison messages; without it they are forgotten when the process ends. */
  poisonStore?: PoisonStore;
  /** Where an owner marks the message that it is running; without it nothing is marked. */
  markPathOf?: ((owner: number) => string) | undefined;
  /** For tests, which use shorter times. */
  limits?: Partial<TimeLimits>;
}

type StopLimit = 'stopDeadlineMilliseconds' | 'stopMillisecondsMax' | 'stopMillisecondsMin';
type TimeLimits = WatchLimits & MainWatchLimits & Record<StopLimit | 'turnMilliseconds', number>;

const deathsCounted = counter({ name: 'thread_deaths', labels: ['of'], help: 'Threads that ended and were replaced' });
const silentThreads = gauge({ name: 'threads_silent', help: 'Threads whose event loop does not respond' });
const poisonousMessages = gauge({ name: 'poisonous_messages', help: 'Poison messages, which are not run again' });
const poisonForgotten = gauge({
  name: 'poisonous_messages_forgotten',
  help: 'Poison messages that left the list since the start, because it was full (notedMessagesMax)',
});

export class Supervisor<Shared> {
  readonly poison: PoisonList;
  /** Of the main thread. */
  readonly metrics = new Metrics(allocateMetrics());
  private readonly options: SupervisorOptions<Shared>;
  private readonly limits: TimeLimits;
  private readonly counts: ThreadCounts;
  private readonly mainWatch: MainWatchStart;
  private readonly threads: SupervisedThread[] = [];
  private readonly adminRequests = new AdminRequests();
  private stopping: Promise<boolean> | undefined;
  private watchTimer: NodeJS.Timeout | undefined;
  private stopBeating: () => void = () => undefined;

  constructor(options: SupervisorOptions<Shared>) {
    this.options = options;
    this.counts = countsOf(options.roles);
    this.limits = { ...threadLimits, ...options.limits };
    this.mainWatch = { pulse: new Pulse().memory, state: allocateMainWatchState(), limits: this.limits };
    this.metrics.sampled(silentThreads, [], () => this.threads.filter(({ isSilent }) => isSilent).length);
    this.metrics.sampled(poisonousMessages, [], () => this.poison.list().length);
    this.metrics.sampled(poisonForgotten, [], () => this.poison.forgotten);
    this.poison = new PoisonList({
      store: options.poisonStore ?? forgetfulStore,
      now: () => systemClock.now(),
      changed: (digests) => {
        for (const thread of this.threads) if (thread.name.role === ownerRole) thread.post({ type: 'poison', digests });
      },
      report: options.report,
    });
  }

  /**
   * Every thread loads its code, and opens nothing before `start`, which is quick then. Rejects with the failure that ended one
   * of them before it was ready.
   */
  async load(): Promise<void> {
    this.createAll();
    for (const thread of this.threads) thread.spawn();
    await Promise.all(this.threads.map(({ ready }) => ready));
  }

  /**
   * Settles when every thread is ready; rejects with the failure that ended one before (a stop, for example), once the
   * others have ended too.
   */
  async start(): Promise<void> {
    if (this.threads.length === 0) this.createAll();
    try {
      for (const thread of this.threads) if (thread.role.loadsEarly && !thread.isSpawned) thread.spawn();
      // A failure of any thread ends the start, whether its role has been started yet or not.
      await Promise.all([this.startInOrder(), ...this.threads.map(({ ready }) => ready)]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private createAll(): void {
    this.stopBeating = startBeating(this.mainWatch.pulse);
    for (const { name, role } of threadsOf(this.options.roles)) this.threads.push(this.create(name, role));
    for (const [position, thread] of this.threads.entries()) {
      for (const other of this.threads.slice(position + 1)) connect(thread, other, false);
    }
    const watch = new ThreadWatch<SupervisedThread>({
      limits: this.limits,
      scheduler: systemScheduler(),
      now: () => systemClock.monotonic(),
      threads: () => this.threads.filter(({ isSpawned, isHung }) => isSpawned && !isHung),
      report: this.options.report,
      hangs: (thread) => void this.endHung(thread),
    });
    this.watchTimer = setInterval(() => watch.look(), this.limits.watchMilliseconds).unref();
  }

  /** The metrics memory of all threads, this one included. */
  get measuring(): readonly MeasuringThread[] {
    const others = this.threads.map(({ name, metrics }) => ({ title: `${name.role} ${name.index}`, memory: metrics }));
    return [{ title: 'main', memory: this.metrics.memory }, ...others];
  }

  /** The threads that do not work at present: not ready yet, being replaced, or without a sign of life for a while. */
  get absent(): readonly string[] {
    return this.threads.filter(({ isReady, isSilent }) => !isReady || isSilent).map(({ title }) => title);
  }

  /**
   * Passes the operator's request to the first thread that answers such. Rejects with a sentence when that thread dies
   * over it.
   */
  admin(request: unknown): Promise<unknown> {
    const threads = this.threads.filter(({ role }) => role.answersOperator);
    const thread = threads.find(({ isReady, isSilent }) => isReady && !isSilent) ?? threads[0];
    if (thread === undefined) throw new Error('no thread answers the operator');
    return this.adminRequests.send(thread, request);
  }

  /**
   * Stops every thread; a second call waits for the first. False when one did not stop that cannot be terminated: then
   * its native sockets make the process end with a fault, however it exits.
   */
  stop(): Promise<boolean> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  private async startInOrder(): Promise<void> {
    for (const role of this.options.roles) {
      if (this.stopping !== undefined) throw new Error('the server was stopped while it started');
      const starting = this.threads.filter((thread) => thread.role === role);
      for (const thread of starting) {
        if (!thread.isSpawned) thread.spawn();
        thread.post({ type: 'start' });
      }
      await Promise.all(starting.map(({ ready }) => ready));
    }
  }

  private async stopInOrder(): Promise<boolean> {
    clearInterval(this.watchTimer);
    let clean = true;
    const { stopDeadlineMilliseconds: most, stopMillisecondsMax: all, stopMillisecondsMin: least } = this.limits;
    const endsAt = systemClock.monotonic() + all;
    const steps = new Set(this.options.roles.map(({ stopOrder }) => stopOrder).sort((one, other) => one - other));
    for (const step of steps) {
      const threads = this.threads.filter(({ role }) => role.stopOrder === step);
      const deadline = Math.max(least, Math.min(most, endsAt - systemClock.monotonic()));
      const ended = await Promise.all(threads.map((thread) => thread.end(deadline)));
      clean &&= !ended.includes(false);
    }
    // Whatever could not be ended goes on watching.
    if (clean) this.stopBeating();
    return clean;
  }

  private create(name: ThreadName, role: Role): SupervisedThread {
    const record = name.role === ownerRole ? this.watchOf(name.index) : undefined;
    const measured = () => this.measuring;
    const supervised = { name, role, record, counts: this.counts, mainWatch: this.mainWatch, measured };
    return new SupervisedThread(supervised, this.options, {
      adminReplied: (reply) => this.adminRequests.replied(reply),
      ended: (thread) => this.ended(thread),
    });
  }

  private watchOf(owner: number): TurnWatchReader {
    return new TurnWatchReader(this.limits.turnMilliseconds, this.poison, this.options.markPathOf?.(owner));
  }

  private ended(thread: SupervisedThread): void {
    this.adminRequests.threadEnded(thread);
    if (this.stopping !== undefined || !thread.hasStarted) return;
    this.metrics.counter(deathsCounted, thread.title).add();
    this.replace(thread);
  }

  private replace(thread: SupervisedThread): void {
    if (thread.isDeathTooMany()) {
      this.options.report({ level: 'error', message: `${thread.title} keeps failing: the server gives up` });
      void this.stop().then((clean) => this.options.gaveUp(clean));
      return;
    }
    thread.spawn();
    for (const other of this.threads) if (other !== thread) connect(thread, other, true);
    thread.post({ type: 'start' });
  }

  private async endHung(thread: SupervisedThread): Promise<void> {
    if (await thread.endHung()) return;
    this.options.report({
      level: 'error',
      message: `${thread.title} cannot be ended without the process: the server gives up`,
    });
    void this.stop().then(() => this.options.gaveUp(false));
  }
}

const forgetfulStore: PoisonStore = { load: () => [], save: () => undefined };

function connect(one: SupervisedThread, other: SupervisedThread, replaced: boolean): void {
  if (!areLinked(one.role, other.role)) return;
  const channel = new MessageChannel();
  const { port1, port2 } = channel;
  const backlog = allocateBacklog();
  one.post({ type: 'peer', peer: other.name, port: port1, backlog, side: 0, replaced: false }, [port1]);
  other.post({ type: 'peer', peer: one.name, port: port2, backlog, side: 1, replaced }, [port2]);
}
