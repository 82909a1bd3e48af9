/**
 * The main thread: starts the others, connects every pair that communicates, replaces one that dies or hangs, and stops
 * them in an order in which nothing acknowledged is lost (gateways, then network threads, then owners).
 *
 * Owners and gateways load side by side and answer as soon as they can. Network threads start when those are ready, to
 * leave the cores to what clients wait for; messages to them wait in their ports until then.
 *
 * INVARIANTS
 * 1. A thread that dies before it was ever ready ends the start, and what was started is stopped. Later it is replaced.
 * 2. A thread that keeps dying ends the server, after the others were stopped in order.
 * 3. A stop during the start ends it: what was not started by then never is.
 * 4. A thread whose event loop hangs is replaced, whatever its role (watch.ts).
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { threadLimits } from '../limits.ts';
import { allocateMetrics } from '../metrics/layout.ts';
import { counter, gauge } from '../metrics/metric.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { MeasuringThread } from '../metrics/reading.ts';
import type { Problem } from '../ports.ts';
import { allocateBacklog } from './backlog.ts';
import { interruptThread } from './interrupt.ts';
import type { Role, SupervisorMessage, ThreadName, ThreadReport } from './messages.ts';
import { PoisonList, type PoisonStore } from './poison.ts';
import { Pulse } from './pulse.ts';
import type { ThreadStart } from './thread.ts';
import { TurnWatchReader } from './turn-watch.ts';
import { ThreadWatch, type Watched, type WatchLimits } from './watch.ts';

export interface SupervisorOptions<Shared> {
  entry: URL;
  counts: Readonly<Record<Role, number>>;
  shared: Shared;
  boot: number;
  report(problem: Problem): void;
  /** A thread keeps dying and the others were stopped: the process should end. `clean` as the result of `stop`. */
  gaveUp(clean: boolean): void;
  /** Stores poison messages; without it they are forgotten when the process ends. */
  poisonStore?: PoisonStore;
  /** Per thread: one that needs more ends and is replaced. A smaller heap is collected earlier by V8. */
  heapBytesMax?: number;
  /** For tests, which use shorter times. */
  limits?: Partial<TimeLimits>;
}

const megabyte = 1024 * 1024;

type TimeLimits = WatchLimits & Record<'stopDeadlineMilliseconds' | 'turnMilliseconds', number>;

/** A name, with the thread that currently has it. */
interface Supervised extends Watched {
  readonly name: ThreadName;
  readonly metrics: SharedArrayBuffer;
  /** Undefined until it is its role's turn to start; messages posted before are kept. */
  worker: Worker | undefined;
  readonly unsent: { message: SupervisorMessage; transfer: readonly MessagePort[] }[];
  life: number;
  /** Was ready once: from then on a dead thread is replaced. */
  started: boolean;
  /** The current thread is ready, and is not being ended. */
  isReady: boolean;
  /** Is being ended because it hangs. */
  isHung: boolean;
  /** Has closed everything, and may be terminated. */
  stopped: boolean;
  ready: Promise<void>;
  exited: Promise<void>;
  /** Times of deaths of threads of this name: outside of turns, and during one. */
  readonly deaths: number[];
  readonly turnDeaths: number[];
}

interface AdminRequest {
  readonly thread: Supervised;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const deathsCounted = counter({ name: 'thread_deaths', labels: ['of'], help: 'Threads that ended and were replaced' });
const silentThreads = gauge({ name: 'threads_silent', help: 'Threads that do not turn their event loop' });
const poisonousMessages = gauge({ name: 'poisonous_messages', help: 'Messages that are not run any more' });

const startOrder: readonly Role[] = ['owner', 'gateway', 'network'];
const stopOrder: readonly Role[] = ['gateway', 'network', 'owner'];
/** These load at the same time, in any order. */
const rolesLoadedAtOnce: readonly Role[] = ['owner', 'gateway'];

export class Supervisor<Shared> {
  readonly poison: PoisonList;
  /** Of the main thread. */
  readonly metrics = new Metrics(allocateMetrics());
  private readonly options: SupervisorOptions<Shared>;
  private readonly limits: TimeLimits;
  private readonly threads: Supervised[] = [];
  private readonly adminRequests = new Map<number, AdminRequest>();
  private adminNumber = 0;
  private stopping: Promise<boolean> | undefined;
  private watchTimer: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions<Shared>) {
    this.options = options;
    this.limits = { ...threadLimits, ...options.limits };
    this.metrics.sampled(silentThreads, [], () => this.threads.filter(({ isSilent }) => isSilent).length);
    this.metrics.sampled(poisonousMessages, [], () => this.poison.list().length);
    this.poison = new PoisonList({
      store: options.poisonStore ?? forgetfulStore,
      now: () => Date.now(),
      changed: (digests) => {
        for (const thread of this.threads) if (thread.name.role === 'owner') post(thread, { type: 'poison', digests });
      },
    });
  }

  /**
   * Settles when every thread is ready; rejects with the failure that ended one before (a stop, for example), once the
   * others have ended too.
   */
  async start(): Promise<void> {
    for (const role of startOrder) {
      for (let index = 0; index < this.options.counts[role]; index += 1)
        this.threads.push(this.create({ role, index }));
    }
    for (const [position, thread] of this.threads.entries()) {
      for (const other of this.threads.slice(position + 1)) connect(thread, other, false);
    }
    const watch = new ThreadWatch<Supervised>({
      limits: this.limits,
      now: () => performance.now(),
      threads: () => this.threads.filter(({ worker, isHung }) => worker !== undefined && !isHung),
      report: this.options.report,
      hangs: (thread) => void this.endHung(thread),
    });
    this.watchTimer = setInterval(() => watch.look(), this.limits.watchMilliseconds).unref();
    try {
      for (const thread of this.threads) if (rolesLoadedAtOnce.includes(thread.name.role)) this.spawn(thread);
      // A failure of any thread ends the start, whether its role has been started yet or not.
      await Promise.all([this.startInOrder(), ...this.threads.map(({ ready }) => ready)]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** The metrics memory of all threads, this one included. */
  get measuring(): readonly MeasuringThread[] {
    const others = this.threads.map(({ name, metrics }) => ({ title: `${name.role} ${name.index}`, memory: metrics }));
    return [{ title: 'main', memory: this.metrics.memory }, ...others];
  }

  /**
   * Passes the operator's request to the first gateway that answers. Rejects with a sentence when that thread dies over
   * it.
   */
  admin(request: unknown): Promise<unknown> {
    const gateways = this.threads.filter(({ name }) => name.role === 'gateway');
    const thread = gateways.find(({ isReady, isSilent }) => isReady && !isSilent) ?? gateways[0];
    if (thread === undefined) throw new Error('the server has no gateway');
    this.adminNumber += 1;
    const number = this.adminNumber;
    return new Promise((resolve, reject) => {
      this.adminRequests.set(number, { thread, resolve, reject });
      post(thread, { type: 'admin', request, number });
    });
  }

  /**
   * Stops every thread; a second call waits for the first. False when a gateway would not stop: then its native sockets
   * make the process end with a fault, however it exits.
   */
  stop(): Promise<boolean> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  private async startInOrder(): Promise<void> {
    for (const role of startOrder) {
      if (this.stopping !== undefined) throw new Error('the server was stopped while it started');
      const starting = this.threads.filter(({ name }) => name.role === role);
      for (const thread of starting) {
        if (thread.worker === undefined) this.spawn(thread);
        post(thread, { type: 'start' });
      }
      await Promise.all(starting.map(({ ready }) => ready));
    }
  }

  private async stopInOrder(): Promise<boolean> {
    clearInterval(this.watchTimer);
    let clean = true;
    for (const role of stopOrder) {
      const ended = await Promise.all(
        this.threads.filter(({ name }) => name.role === role).map((one) => this.end(one)),
      );
      clean &&= !ended.includes(false);
    }
    return clean;
  }

  private create(name: ThreadName): Supervised {
    const nothing = Promise.resolve();
    const { turnMilliseconds, watchMilliseconds } = this.limits;
    const record =
      name.role === 'owner' ? new TurnWatchReader(turnMilliseconds / watchMilliseconds, this.poison) : undefined;
    return {
      name,
      title: `${name.role} thread ${name.index}`,
      pulse: new Pulse(),
      metrics: allocateMetrics(),
      record,
      worker: undefined,
      unsent: [],
      life: -1,
      started: false,
      isReady: false,
      isSilent: false,
      isHung: false,
      stopped: false,
      ready: nothing,
      exited: nothing,
      deaths: [],
      turnDeaths: [],
    };
  }

  private spawn(thread: Supervised): void {
    const { boot, counts, shared, entry, heapBytesMax } = this.options;
    thread.life += 1;
    thread.isReady = false;
    thread.isSilent = false;
    thread.isHung = false;
    const { name, title, pulse, record, life, metrics } = thread;
    pulse.forgive();
    const start: ThreadStart<Shared> = { name, boot, counts, shared, life, pulse: pulse.memory, metrics };
    const worker = new Worker(entry, {
      workerData: record === undefined ? start : { ...start, watch: record.start() },
      resourceLimits: heapBytesMax === undefined ? {} : { maxOldGenerationSizeMb: heapBytesMax / megabyte },
    });
    thread.worker = worker;
    for (const { message, transfer } of thread.unsent.splice(0)) worker.postMessage(message, transfer);
    thread.stopped = false;
    thread.exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    thread.ready = new Promise((resolve, reject) => {
      let failure: Error | undefined;
      worker.on('message', (message: ThreadReport) => {
        if (message.type === 'ready') {
          thread.started = true;
          thread.isReady = true;
          resolve();
        } else if (message.type === 'stopped') thread.stopped = true;
        else this.adminAnswered(message);
      });
      worker.on('error', (error) => {
        this.options.report({ level: 'error', message: `${title} failed`, error });
        failure = error;
      });
      worker.on('exit', (code) => {
        // The 'error' event may come before earlier messages of the thread; 'exit' does not.
        reject(failure ?? new Error(`${title} has ended with code ${code}`));
        this.ended(thread);
      });
    });
    // Awaited for the first start only. For a replacement, `ended` reports the end.
    thread.ready.catch(() => undefined);
  }

  private ended(thread: Supervised): void {
    for (const [number, request] of this.adminRequests) {
      if (request.thread !== thread) continue;
      this.adminRequests.delete(number);
      request.reject(new Error('The thread that carried out the command has ended: whether it is done is not known.'));
    }
    if (this.stopping !== undefined || !thread.started) return;
    this.metrics.counter(deathsCounted, thread.title).add();
    this.replace(thread);
  }

  private adminAnswered(message: Exclude<ThreadReport, { type: 'ready' | 'stopped' }>): void {
    const request = this.adminRequests.get(message.number);
    this.adminRequests.delete(message.number);
    if (message.type === 'adminAnswer') request?.resolve(message.answer);
    else request?.reject(new Error(message.sentence));
  }

  private replace(thread: Supervised): void {
    const diedInTurn = thread.record?.died() === true;
    const isLast = diedInTurn
      ? isOneTooMany(thread.turnDeaths, threadLimits.turnDeathsMax)
      : isOneTooMany(thread.deaths, threadLimits.deathsMax);
    if (isLast) {
      this.options.report({ level: 'error', message: `${thread.title} keeps failing: the server gives up` });
      void this.stop().then((clean) => this.options.gaveUp(clean));
      return;
    }
    this.spawn(thread);
    for (const other of this.threads) if (other !== thread) connect(thread, other, true);
    post(thread, { type: 'start' });
  }

  /**
   * Its exit makes room for the replacement. Only gateways have native sockets, which end the process unless closed.
   */
  private async endHung(thread: Supervised): Promise<void> {
    thread.isHung = true;
    const worker = thread.worker!;
    const place = await interruptThread(worker);
    const { title, name } = thread;
    if (place !== undefined)
      this.options.report({
        level: 'error',
        message: `${title} hung here:
${place}`,
      });
    else if (name.role === 'gateway') {
      this.options.report({ level: 'error', message: `${title} cannot be ended alone: the server gives up` });
      void this.stop().then(() => this.options.gaveUp(false));
      return;
    }
    await worker.terminate();
  }

  /** False when the thread does not end and cannot be terminated. */
  private async end(thread: Supervised): Promise<boolean> {
    if (thread.worker === undefined) return true;
    post(thread, { type: 'stop' });
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      deadline = setTimeout(() => resolve('late'), this.limits.stopDeadlineMilliseconds);
    });
    const outcome = await Promise.race([thread.exited, late]);
    clearTimeout(deadline);
    if (outcome !== 'late') return true;
    this.options.report({ level: 'error', message: `${thread.title} did not stop in time` });
    if (thread.name.role === 'gateway' && !thread.stopped) return false;
    await thread.worker.terminate();
    return true;
  }
}

/** Records a death at this moment. */
function isOneTooMany(deaths: number[], deathsMax: number): boolean {
  const now = Date.now();
  deaths.push(now);
  while (deaths[0]! <= now - threadLimits.deathWindowMilliseconds) deaths.shift();
  return deaths.length > deathsMax;
}

const forgetfulStore: PoisonStore = { load: () => [], save: () => undefined };

/** Network and gateway threads talk to each other and to owners; gateways also among themselves, for shared streams. */
function connect(one: Supervised, other: Supervised, replaced: boolean): void {
  const channel = new MessageChannel();
  const { port1, port2 } = channel;
  const backlog = allocateBacklog();
  post(one, { type: 'peer', peer: other.name, port: port1, backlog, side: 0, replaced: false }, [port1]);
  post(other, { type: 'peer', peer: one.name, port: port2, backlog, side: 1, replaced }, [port2]);
}

function post(thread: Supervised, message: SupervisorMessage, transfer: readonly MessagePort[] = []): void {
  if (thread.worker === undefined) thread.unsent.push({ message, transfer });
  else thread.worker.postMessage(message, transfer);
}
