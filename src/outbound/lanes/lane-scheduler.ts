/**
 * Sends the entries of all lanes of a thread, fairly and within its bounds.
 *
 * INVARIANTS
 * 1. A lane that can send is in the ready list, or waits for a connection (a new one, or one that is in use); a lane that must wait has an alarm; any
 *    other lane is examined when one of its requests ends or when it gets an entry.
 * 2. A request is sent at once when it is made (signed, encrypted): the bound on parallel requests applies before.
 */
import { applyOutcome } from './apply-outcome.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { createJob, type Job } from './job.ts';
import type { Lane } from './lane.ts';
import { LaneTimers } from './lane-timers.ts';
import { laneLimits } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { LanePorts } from './ports.ts';
import { ReadyLanes } from './ready-lanes.ts';
import { refusedWaitMilliseconds } from './retry-policy.ts';
import { Silence } from './silence.ts';

export interface LaneSchedulerOptions {
  readonly ports: LanePorts;
  /** The lane has progress to store. */
  readonly onMoved: (lane: Lane) => void;
}

const notSent: Outcome = { verdict: 'dropped', status: undefined };

export class LaneScheduler {
  private readonly ports: LanePorts;
  private readonly onMoved: (lane: Lane) => void;
  private readonly ready = new ReadyLanes();
  private readonly timers: LaneTimers;
  private readonly silence = new Silence();
  private readonly connections = new ConnectionBudget(laneLimits.connectionsPerSecondMax);
  private underWay = 0;
  private unprovedUnderWay = 0;
  private beingMade = 0;
  private emptyEntries = 0;
  private isPumpRequested = false;
  private onIdle: (() => void) | undefined;
  private isStopped = false;

  constructor(options: LaneSchedulerOptions) {
    this.ports = options.ports;
    this.timers = new LaneTimers(options.ports, (lane) => this.look(lane));
    this.onMoved = options.onMoved;
  }

  /** The state of the lane has changed. */
  look(lane: Lane): void {
    if (this.place(lane)) this.requestPump();
  }

  /** The host of a lane has shown that it is alive: it is tried earlier. */
  heardFrom(lane: Lane): void {
    const now = this.ports.monotonic();
    const { nextAttemptAt } = lane.health;
    if (!lane.health.heard(now)) return;
    const [before, left] = [nextAttemptAt, lane.health.nextAttemptAt].map((at) => Math.round((at - now) / 1_000));
    this.ports.report({
      level: 'debug',
      message: `${lane.host} is heard from: deliveries are tried in ${left} seconds instead of ${before}`,
    });
    this.ports.waitShortened();
    this.onMoved(lane);
    this.look(lane);
  }

  /** These failing hosts are probably not to blame, or work again: they are tried at once. */
  forgive(lanes: readonly Lane[]): void {
    const now = this.ports.monotonic();
    for (const lane of lanes) {
      lane.health.forgive(now);
      this.onMoved(lane);
      this.look(lane);
    }
  }

  /** What these hosts did wrong counts no more: they are tried at once. */
  clear(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      const wasFailing = lane.health.isFailing;
      lane.clear();
      if (wasFailing) lane.queue.recovered();
      this.onMoved(lane);
      this.look(lane);
    }
  }

  /** Starts nothing more; settles when every request has ended, or after a deadline. */
  stop(milliseconds: number): Promise<void> {
    this.isStopped = true;
    this.timers.stop();
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.ports.schedule(milliseconds, resolve);
      this.onIdle = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Adds a lane to the ready list, or sets its alarm; returns whether it was added. */
  private place(lane: Lane): boolean {
    if (lane.isReady || this.isStopped) return false;
    const now = this.ports.monotonic();
    if (!lane.canSend(now)) {
      this.sleep(lane, lane.wakeAt(now), now);
      return false;
    }
    this.ready.add(lane);
    if (lane.queue.gapStart !== undefined) lane.log.readFor(lane);
    return true;
  }

  private requestPump(): void {
    if (this.isPumpRequested) return;
    this.isPumpRequested = true;
    this.ports.defer(this.pumpLater);
  }

  private readonly pumpLater = (): void => {
    this.isPumpRequested = false;
    this.emptyEntries = 0;
    this.pump();
  };

  private pump(): void {
    while (
      !this.isStopped &&
      this.beingMade < laneLimits.requestsBeingMadeMax &&
      this.underWay < laneLimits.requestsMax
    ) {
      if (this.emptyEntries >= laneLimits.emptyEntriesPerSlice) {
        this.requestPump();
        return;
      }
      const lane = this.ready.take(this.unprovedUnderWay < laneLimits.unprovedRequestsMax);
      if (lane === undefined) return;
      this.sendFrom(lane);
    }
  }

  private sendFrom(lane: Lane): void {
    const now = this.ports.monotonic();
    if (!lane.canSend(now)) {
      this.place(lane);
      return;
    }
    const sharesUntil = lane.sharesUntil(now);
    if (sharesUntil !== undefined) {
      this.sleep(lane, sharesUntil, now);
      return;
    }
    if (lane.needsConnection(now) && !this.connections.take(now)) {
      this.timers.waitForConnection(lane, this.connections.waitMilliseconds);
      return;
    }
    const job = lane.jobs.find(isUnserved) ?? this.nextJob(lane, now);
    if (job !== undefined) void this.serve(lane, job, now);
    if (job !== undefined || this.emptyEntries >= laneLimits.emptyEntriesPerSlice) this.place(lane);
    // Everything waits for an entry that is in progress, delayed, or not read yet.
    else this.sleep(lane, Math.max(lane.queue.delayedUntil, lane.health.nextAttemptAt), now);
  }

  /** The next entry that needs a request. */
  private nextJob(lane: Lane, now: number): Job | undefined {
    while (this.emptyEntries < laneLimits.emptyEntriesPerSlice) {
      const sequence = lane.queue.pick(now, lane.log.entries, lane.health.isFailing);
      if (sequence === undefined) return undefined;
      const found = this.jobOf(lane, sequence);
      if (found === 'is being prepared') return undefined;
      if (found !== undefined) {
        lane.jobs.push(found);
        return found;
      }
      this.emptyEntries += 1;
      this.finish(lane, sequence);
    }
    return undefined;
  }

  /** Undefined where there is nothing to send: too old, its object deleted, or no targets left. */
  private jobOf(lane: Lane, sequence: number): Job | 'is being prepared' | undefined {
    const entry = lane.log.entries.get(sequence);
    if (entry === undefined || entry.expiresAt < this.ports.now()) return undefined;
    const targets = lane.unserved.get(sequence) ?? entry.targetsAt(lane.number);
    if (targets.length === 0) return undefined;
    const prepared = entry.prepare();
    if (!(prepared instanceof Promise)) return prepared && createJob(entry, prepared, lane.inOrder(targets));
    this.waitUntilPrepared(lane, sequence, prepared);
    return 'is being prepared';
  }

  private waitUntilPrepared(lane: Lane, sequence: number, prepared: Promise<unknown>): void {
    lane.isPreparing = true;
    const goOn = () => {
      lane.isPreparing = false;
      lane.queue.putBack(sequence, lane.health.isFailing);
      this.look(lane);
    };
    prepared.then(goOn, (error: unknown) => {
      this.ports.report({ level: 'warn', message: 'a delivery could not be prepared', error });
      lane.health.postpone(this.ports.monotonic());
      goOn();
    });
  }

  /** One request, from its making to its end. */
  private async serve(lane: Lane, job: Job, now: number): Promise<void> {
    const target = job.targets[job.next]!;
    job.next += 1;
    job.open += 1;
    lane.started(now);
    const isUnproved = !lane.health.isProved;
    this.underWay += 1;
    if (isUnproved) this.unprovedUnderWay += 1;
    this.beingMade += 1;
    const send = await job.prepared.requestTo(target, lane);
    this.beingMade -= 1;
    const sent = send?.();
    this.pump();
    const outcome = sent === undefined ? notSent : await sent;
    if (isUnproved) this.unprovedUnderWay -= 1;
    this.ended(lane, job, target, now, outcome);
  }

  private ended(lane: Lane, job: Job, target: string, startedAt: number, outcome: Outcome): void {
    const now = this.ports.monotonic();
    const isAnswered = outcome.status !== undefined;
    this.underWay -= 1;
    job.open -= 1;
    lane.ended(now, isAnswered);
    const before = lane.health.failures;
    applyOutcome({ lane, job, target, startedAt, now, random: this.ports.random() }, outcome);
    this.ports.attempted(outcome.verdict);
    if (isAnswered) this.breakSilence(lane, now);
    else if (before === 0 && lane.health.isFailing) this.silence.failed(lane, startedAt);
    if (lane.health.failures !== before) this.turned(lane, before, now);
    else if (outcome.verdict === 'throttled') this.onMoved(lane);
    if (job.open === 0 && (!isUnserved(job) || lane.health.isFailing)) this.close(lane, job, now);
    this.place(lane);
    this.pump();
    if (this.underWay === 0) this.onIdle?.();
  }

  /** A host has answered: perhaps the first one after the network of this server was out of order. */
  private breakSilence(answering: Lane, now: number): void {
    const lanes = this.silence.answered(answering, now);
    if (lanes.length === 0) return;
    const message = `${answering.host} answers after a silence of all hosts: ${lanes.length} others are tried again`;
    this.ports.report({ level: 'debug', message });
    this.forgive(lanes);
  }

  /** The host has begun to fail, has failed again, or works again. */
  private turned(lane: Lane, failuresBefore: number, now: number): void {
    this.onMoved(lane);
    if (!lane.health.isFailing) lane.queue.recovered();
    else if (failuresBefore === 0) {
      lane.queue.failed();
      for (const idle of lane.jobs.filter(({ open }) => open === 0)) this.close(lane, idle, now);
    }
  }

  /** All requests of an entry to the host have ended. */
  private close(lane: Lane, job: Job, now: number): void {
    const index = lane.jobs.indexOf(job);
    if (index < 0) return;
    lane.jobs.splice(index, 1);
    const { sequence } = job.entry;
    if (job.left.length === 0 && !isUnserved(job)) {
      this.finish(lane, sequence);
      return;
    }
    const left = [...job.left, ...job.targets.slice(job.next)];
    if (job.targets.length > 1) lane.unserved.set(sequence, left);
    const { isFailing } = lane.health;
    if (!job.wasTried) lane.queue.putBack(sequence, isFailing);
    else if (!job.wasRefused || isFailing) lane.queue.giveBack(sequence, isFailing);
    else {
      const wait = refusedWaitMilliseconds(lane.queue.refusalsOf(sequence) + 1);
      if (wait === undefined || !lane.queue.tryLater(sequence, now + wait)) this.finish(lane, sequence);
    }
  }

  private finish(lane: Lane, sequence: number): void {
    if (lane.unserved.size > 0) lane.unserved.delete(sequence);
    lane.queue.finish(sequence);
    this.onMoved(lane);
  }

  private sleep(lane: Lane, at: number, now: number): void {
    this.timers.wake(lane, at, now);
    if (lane.queue.gapStart !== undefined) lane.log.readFor(lane);
  }
}

function isUnserved(job: Job): boolean {
  return job.next < job.targets.length;
}
