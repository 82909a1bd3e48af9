/**
 * Sends the deliveries of all lanes of a thread, fairly and within its bounds.
 *
 * INVARIANTS
 * 1. A lane that can send is in the ready list, or waits for a connection; a lane that must wait has an alarm; any
 *    other lane is examined when one of its requests ends or when it gets a delivery.
 * 2. A signed request is sent at once: the bound on parallel requests applies before signing.
 */
import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import type { SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { isInboxGone, noteResult } from './delivery-result.ts';
import { lifetimeMillisecondsOf } from './intent-rules.ts';
import { createJob, type Job } from './job.ts';
import type { Lane } from './lane.ts';
import { LaneTimers } from './lane-timers.ts';
import { egressLimits } from './limits.ts';
import type { PreparedActivity } from './log-entry.ts';
import type { EgressPorts } from './ports.ts';
import type { PreparedActivities } from './prepared-activities.ts';
import { ReadyLanes } from './ready-lanes.ts';
import { refusedWaitMilliseconds } from './retry-policy.ts';
import { Silence } from './silence.ts';

export interface LaneSchedulerOptions {
  readonly ports: EgressPorts;
  readonly activities: PreparedActivities;
  /** The lane has progress to store. */
  readonly onMoved: (lane: Lane) => void;
}

const contentType = 'application/activity+json';
const notSent: DeliveryResult = { ok: false, kind: 'blocked', detail: 'the request could not be signed' };

export class LaneScheduler {
  private readonly ports: EgressPorts;
  private readonly activities: PreparedActivities;
  private readonly onMoved: (lane: Lane) => void;
  private readonly ready = new ReadyLanes();
  private readonly timers: LaneTimers;
  private readonly silence = new Silence();
  private readonly connections = new ConnectionBudget(egressLimits.connectionsPerSecondMax);
  private underWay = 0;
  private unprovedUnderWay = 0;
  private signing = 0;
  private emptyDeliveries = 0;
  private isPumpRequested = false;
  private onIdle: (() => void) | undefined;
  private isStopped = false;

  constructor(options: LaneSchedulerOptions) {
    this.ports = options.ports;
    this.timers = new LaneTimers(options.ports, (lane) => this.look(lane));
    this.activities = options.activities;
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

  /** Starts nothing more; settles when every request has ended, or after a deadline. */
  stop(): Promise<void> {
    this.isStopped = true;
    this.timers.stop();
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.ports.schedule(egressLimits.stopMilliseconds, resolve);
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
    this.emptyDeliveries = 0;
    this.pump();
  };

  private pump(): void {
    while (!this.isStopped && this.signing < egressLimits.signaturesMax && this.underWay < egressLimits.requestsMax) {
      if (this.emptyDeliveries >= egressLimits.emptyDeliveriesPerSlice) {
        this.requestPump();
        return;
      }
      const lane = this.ready.take(this.unprovedUnderWay < egressLimits.unprovedRequestsMax);
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
    if (lane.needsConnection(now) && !this.connections.take(now)) {
      this.timers.waitForConnection(lane, this.connections.waitMilliseconds);
      return;
    }
    const job = lane.jobs.find(isUnserved) ?? this.nextJob(lane, now);
    if (job !== undefined) void this.serve(lane, job, now);
    if (job !== undefined || this.emptyDeliveries >= egressLimits.emptyDeliveriesPerSlice) this.place(lane);
    // Everything waits for a delivery that is in progress, delayed, or not read yet.
    else this.sleep(lane, Math.max(lane.queue.delayedUntil, lane.health.nextAttemptAt), now);
  }

  /** The next delivery that needs a request. */
  private nextJob(lane: Lane, now: number): Job | undefined {
    while (this.emptyDeliveries < egressLimits.emptyDeliveriesPerSlice) {
      const sequence = lane.queue.pick(now, lane.log.entries, lane.health.isFailing);
      if (sequence === undefined) return undefined;
      const found = this.jobOf(lane, sequence);
      if (found === 'waits for keys') return undefined;
      if (found !== undefined) {
        lane.jobs.push(found);
        return found;
      }
      this.emptyDeliveries += 1;
      this.finish(lane, sequence);
    }
    return undefined;
  }

  /** Undefined where there is nothing to send: too old, its object deleted, or no recipients left. */
  private jobOf(lane: Lane, sequence: number): Job | 'waits for keys' | undefined {
    const entry = lane.log.entries.get(sequence);
    if (entry === undefined || entry.at + lifetimeMillisecondsOf(entry.intent.kind) < this.ports.now())
      return undefined;
    const inboxes = lane.unserved.get(sequence) ?? lane.log.targets(entry, lane.number).inboxes;
    if (inboxes.length === 0) return undefined;
    const activity = this.activities.prepare(entry);
    if (!(activity instanceof Promise)) return activity && createJob(entry, activity, lane.inOrder(inboxes));
    this.waitForKeys(lane, sequence, activity);
    return 'waits for keys';
  }

  private waitForKeys(lane: Lane, sequence: number, keys: Promise<unknown>): void {
    lane.isWaitingForKeys = true;
    const goOn = () => {
      lane.isWaitingForKeys = false;
      lane.queue.putBack(sequence, lane.health.isFailing);
      this.look(lane);
    };
    keys.then(goOn, (error: unknown) => {
      this.ports.report({ level: 'warn', message: 'a delivery could not be prepared', error });
      lane.health.postpone(this.ports.monotonic());
      goOn();
    });
  }

  /** One request, from its signature to its end. */
  private async serve(lane: Lane, job: Job, now: number): Promise<void> {
    const inbox = job.inboxes[job.next]!;
    job.next += 1;
    job.open += 1;
    lane.started(now);
    const isUnproved = !lane.health.isProved;
    this.underWay += 1;
    if (isUnproved) this.unprovedUnderWay += 1;
    const headers = await this.sign(lane, inbox, job.activity);
    const sent = headers && this.ports.send({ url: inbox, body: job.activity.body, headers });
    this.pump();
    const result = sent === undefined ? notSent : await sent;
    if (isUnproved) this.unprovedUnderWay -= 1;
    this.ended(lane, job, inbox, now, result);
  }

  /** Undefined where nothing can be sent: the inbox is not a valid URL, or the key is unusable. */
  private async sign(
    lane: Lane,
    inbox: string,
    { digest, signer }: PreparedActivity,
  ): Promise<SignedHeaders | undefined> {
    this.signing += 1;
    try {
      const url = lane.urlOf(inbox);
      if (url === null) return undefined;
      return await this.ports.sign({
        method: 'POST',
        url,
        dateMilliseconds: this.ports.now(),
        digest,
        contentType,
        keyId: signer.keyId,
        privateKey: signer.privateKey,
        withoutQuery: lane.signsWithoutQuery,
      });
    } catch (error) {
      // A fault of this server, which would recur at the next attempt.
      this.ports.report({ level: 'error', message: `requests of ${signer.keyId} cannot be signed`, error });
      return undefined;
    } finally {
      this.signing -= 1;
    }
  }

  private ended(lane: Lane, job: Job, inbox: string, startedAt: number, result: DeliveryResult): void {
    const now = this.ports.monotonic();
    this.underWay -= 1;
    job.open -= 1;
    lane.ended(now, result.ok);
    const before = lane.health.failures;
    const verdict = noteResult({ lane, job, inbox, startedAt, now, random: this.ports.random() }, result);
    this.ports.attempted(verdict);
    this.trace(lane, job, inbox, result);
    if (isInboxGone(lane, job, inbox, result)) this.ports.inboxGone({ host: lane.host, inbox, entry: job.entry });
    if (result.ok) this.breakSilence(lane, now);
    else if (before === 0 && lane.health.isFailing) this.silence.failed(lane, startedAt);
    if (lane.health.failures !== before) this.turned(lane, before, now);
    else if (verdict === 'throttled') this.onMoved(lane);
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

  private trace({ host }: Lane, { entry }: Job, inbox: string, result: DeliveryResult): void {
    if (entry.cause === undefined) return;
    const outcome = result.ok ? { status: result.status } : { fault: result.kind };
    this.ports.trace?.(entry.cause, `delivery ${entry.intent.kind} to ${host}`, { inbox, ...outcome });
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

  /** All requests of a delivery have ended. */
  private close(lane: Lane, job: Job, now: number): void {
    const index = lane.jobs.indexOf(job);
    if (index < 0) return;
    lane.jobs.splice(index, 1);
    const { sequence } = job.entry;
    if (job.left.length === 0 && !isUnserved(job)) {
      this.finish(lane, sequence);
      return;
    }
    const left = [...job.left, ...job.inboxes.slice(job.next)];
    if (job.inboxes.length > 1) lane.unserved.set(sequence, left);
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
  return job.next < job.inboxes.length;
}
