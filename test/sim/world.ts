/**
 * A simulated world: processes with partitions over simulated disks, a network between them, callers, and one seed that
 * decides everything. `run` loads it under faults, stops the faults, waits until all work is done, and checks the
 * result.
 */
import { inspect } from 'node:util';
import type { Envelope } from '../../src/runtime/contract.ts';
import { Failure, toWireFailure } from '../../src/runtime/errors.ts';
import { partitionLimits } from '../../src/runtime/limits.ts';
import { evenPlacement, partitionOfEnvelope } from '../../src/runtime/placement.ts';
import { sizeOfPlainData } from '../../src/runtime/plain-data.ts';
import type { CallResult, CommitPosition, Placement } from '../../src/runtime/ports.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import { meta, type ReplyHandle } from '../../src/runtime/storage/machine.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import type { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { PartitionHost } from '../support/partition-host.ts';
import { bounds } from './checkers/bounds.ts';
import { deadlines } from './checkers/deadlines.ts';
import { gate } from './checkers/gate.ts';
import { order } from './checkers/order.ts';
import { leftOver, overdueTimer, rest } from './checkers/rest.ts';
import { calm, drawFaults, type Faults } from './drawn-faults.ts';
import { SimulatedGateway } from './gateway.ts';
import { SimulatedNetwork } from './network.ts';
import { SimulatedProcess } from './process.ts';
import { SeededRandom } from './random.ts';
import type { Seat } from './seat.ts';
import { Timeline } from './timeline.ts';
import type { Call, Checker, Complaint, Town, Workload, WorkloadFactory } from './workload.ts';

const loadMilliseconds = 12_000;
const callDeadlineMilliseconds = 3_000;
const callBeginMilliseconds = 500;
/** Without faults everything comes to rest within this time; a run takes some two thousand steps. */
const restMillisecondsMax = 600_000 + partitionLimits.effectSilenceMilliseconds;
const stepsMax = 20_000;
const stepsBetweenLooks = 32;
const busyMilliseconds = 60_000;
/** After what fails a partition pauses for some seconds, and a process is down for as long. */
const timerMilliseconds = 30_000;
const traceLinesMax = 60;
const allLinesMax = 20_000;
/** Frames are sent again after half a minute at most: by then a restored partition must have been noticed. */
const restoredMilliseconds = 90_000;
const boot = 1;
/** The monotonic clock at the beginning. */
const beginning = 5_000_000;
/** Most faults show with few partitions, which take less time. */
const partitionCounts: readonly number[] = [1, 1, 2, 2, 2, 2, 3, 3, 3, 5, 8, 16];

interface OpenCall {
  readonly call: Call;
  readonly answered: (result: CallResult) => void;
}

const inspection = { breakLength: Number.POSITIVE_INFINITY, depth: 4 };
const unknown: CallResult = { ok: false, failure: toWireFailure(new Failure('outcomeUnknown')) };

export class World implements Town {
  readonly seed: number;
  readonly random: SeededRandom;
  readonly timeline = new Timeline();
  readonly faults: Faults;
  readonly placement: Placement;
  readonly host: PartitionHost;
  readonly network = new SimulatedNetwork(this);
  readonly processes: readonly SimulatedProcess[];
  /** By the number of their partition. */
  readonly seats: readonly Seat[];
  readonly gateway: SimulatedGateway;
  readonly workload: Workload;
  private checkers: readonly Checker[];
  /** The partition whose disk is exchanged for an older copy of itself. */
  private restored: Seat | undefined;
  private readonly openCalls = new Map<number, OpenCall>();
  private readonly calls = new Map<number, Call>();
  private readonly submitted = new WeakMap<Envelope, Call>();
  private readonly trace: string[] = [];
  private complaint: string | undefined;
  private lastCall = 0;
  private lastEpoch = 0;
  private calmSince: number | undefined;

  private readonly tracesAll: boolean;

  /** `tracesAll`: every message is a line of the trace, not only what goes wrong. */
  constructor(seed: number, createWorkload: WorkloadFactory, tracesAll = false) {
    this.seed = seed;
    this.tracesAll = tracesAll;
    this.random = new SeededRandom(seed);
    this.faults = drawFaults(this.random);
    this.placement = evenPlacement(this.random.pick(partitionCounts));
    this.host = new PartitionHost(this.placement, (partition) => ({
      actors: this.workload.actors,
      keyspaces: this.workload.keyspaces,
      views: this.workload.views?.(partition) ?? [],
      isStrict: true,
      appendsMax: this.faults.appendsMax,
    }));
    this.processes = this.spread();
    this.seats = this.processes.flatMap(({ seats }) => seats).sort((a, b) => a.number - b.number);
    this.gateway = new SimulatedGateway(this);
    this.workload = createWorkload(this);
    this.checkers = [gate(), order(), bounds(), this.deadlines(), rest(), ...this.workload.checkers];
  }

  get partitions(): number {
    return this.placement.partitions;
  }

  get snapshots(): Snapshots {
    return this.gateway.snapshots;
  }

  /** The monotonic clock, of all processes. */
  monotonic(): number {
    return beginning + this.timeline.now;
  }

  /** Every opening of a partition has an epoch of its own. */
  nextEpoch(): number {
    this.lastEpoch += 1;
    return this.lastEpoch;
  }

  get isCalm(): boolean {
    return this.calmSince !== undefined;
  }

  /** Runs to the end. Throws with the seed, the complaint and the trace when a checker complains. */
  async run(): Promise<void> {
    this.note(JSON.stringify(this.faults));
    for (const process of this.processes) {
      process.start();
      this.planFaults(process);
    }
    this.workload.start();
    this.timeline.after(loadMilliseconds, () => this.becomeCalm());
    while (!this.isFinished()) {
      this.timeline.step();
      // Only closing a partition uses promises: they settle between two events.
      if (this.processes.some(({ isStopping }) => isStopping)) await new Promise((resolve) => setImmediate(resolve));
      if (this.complaint !== undefined) throw this.failure();
    }
    const disks = this.seats.map(({ disk }) => disk);
    this.check((checker) => checker.finished?.(disks));
    for (const problem of this.unsound()) this.complain('check', problem);
    if (this.complaint !== undefined) throw this.failure();
  }

  /** Restores one partition from an older copy while the load runs. The workload defines what must then hold. */
  planRestore(): number {
    const { random, timeline } = this;
    const seat = random.pick(this.seats);
    this.restored = seat;
    this.checkers = [gate(), this.deadlines(), ...this.workload.checkers];
    timeline.after(random.between(1_000, 4_000), () => {
      const copy = seat.store.copy();
      timeline.after(random.between(1_000, 4_000), () => seat.restore(copy));
    });
    return seat.number;
  }

  call(envelope: Envelope, flow: string, answered: (result: CallResult) => void): Call {
    this.lastCall += 1;
    const deadline = this.monotonic() + callBeginMilliseconds;
    const call: Call = { number: this.lastCall, envelope, deadline };
    this.calls.set(call.number, call);
    this.openCalls.set(call.number, { call, answered });
    const copy = structuredClone(envelope);
    this.submitted.set(copy, call);
    const partition = partitionOfEnvelope(this.placement, envelope);
    const seat = this.seats[partition]!;
    this.detail(() => `call ${call.number} to partition ${partition}: ${inspect(envelope, inspection)}`);
    this.timeline.after(this.network.travel(), () => {
      const replyTo: ReplyHandle = [boot, 0, call.number];
      this.check((checker) => checker.arrived?.(call));
      seat.partition?.submit({ envelope: copy, flow, replyTo, deadline, bytes: sizeOfPlainData(copy.body) });
    });
    this.timeline.after(callDeadlineMilliseconds, () => this.settle(call.number, unknown));
    return call;
  }

  /** A turn begins. */
  runs(envelope: Envelope): void {
    const call = this.submitted.get(envelope);
    if (call !== undefined) this.check((checker) => checker.runs?.(call));
  }

  /** A partition replies: the caller gets the reply, unless it is lost in transit. */
  replied([, , number]: ReplyHandle, result: CallResult, position: CommitPosition | undefined, disk: Reader): void {
    const call = this.calls.get(number)!;
    this.check((checker) => checker.reply?.(call, result, disk));
    this.detail(() => `call ${number} is answered: ${inspect(result, inspection)}`);
    const copy = structuredClone(result);
    this.network.carry(() => {
      this.gateway.snapshots.noteCommit(position);
      this.settle(number, copy);
    });
  }

  hasShown(partition: number, date: number, since: number): boolean {
    return this.seats[partition]!.process.hasShown(date, since);
  }

  control(
    partition: number,
    view: string,
    request: unknown,
    compare: (answer: unknown, disk: Reader) => Complaint,
  ): void {
    const { partition: running, disk, isReadable, process } = this.seats[partition]!;
    if (running === undefined || !running.isServing || !isReadable || process.isStopping) return;
    if ((disk.get(meta, [0])?.commit ?? 0) !== running.commit) return;
    const complaint = compare(running.control(view, request), disk);
    if (complaint !== undefined) this.complain(`view ${view}`, complaint);
  }

  /** The other processes learn that this one came up. */
  resendTo(process: SimulatedProcess): void {
    for (const other of this.processes) {
      if (other !== process) for (const seat of other.seats) seat.partition?.resend();
    }
  }

  check(ask: (checker: Checker) => string | undefined): void {
    for (const checker of this.checkers) {
      const complaint = ask(checker);
      if (typeof complaint === 'string') this.complain(checker.name, complaint);
    }
  }

  complain(checker: string, complaint: string): void {
    this.note(`${checker}: ${complaint}`);
    this.complaint ??= `${checker}: ${complaint}`;
  }

  note(line: string): void {
    this.trace.push(`${Math.floor(this.timeline.now)} ms  ${line}`);
    if (this.trace.length > (this.tracesAll ? allLinesMax : traceLinesMax)) this.trace.shift();
  }

  /** A trace line that is only written when one seed is repeated. */
  detail(line: () => string): void {
    if (this.tracesAll) this.note(line());
  }

  private deadlines(): Checker {
    return deadlines(() => this.monotonic());
  }

  private settle(number: number, result: CallResult): void {
    const open = this.openCalls.get(number);
    if (open === undefined) return;
    this.openCalls.delete(number);
    open.answered(result);
  }

  /** Partitions in one process, in two, or each in one of its own. */
  private spread(): SimulatedProcess[] {
    const count = this.random.between(1, this.placement.partitions);
    const groups = Array.from({ length: count }, (): number[] => []);
    for (let number = 0; number < this.placement.partitions; number += 1) groups[number % count]!.push(number);
    return groups.map((group) => new SimulatedProcess(group, this));
  }

  private planFaults(process: SimulatedProcess): void {
    const plan = (everyMilliseconds: number, happen: () => void): void => {
      if (everyMilliseconds === 0) return;
      this.timeline.after(this.random.between(everyMilliseconds / 2, everyMilliseconds * 1.5), () => {
        if (this.isCalm) return;
        happen();
        plan(everyMilliseconds, happen);
      });
    };
    const { unreadableMilliseconds } = this.faults;
    plan(this.faults.unreadableEveryMilliseconds, () => process.blind(this.random.below(unreadableMilliseconds)));
    plan(this.faults.crashEveryMilliseconds, () => process.crash());
    plan(this.faults.takenEveryMilliseconds, () => process.lose());
    plan(this.faults.restartEveryMilliseconds, () => process.restart());
    plan(this.faults.clockJumpEveryMilliseconds, () => process.moveClock());
  }

  private becomeCalm(): void {
    this.note('the faults stop');
    this.calmSince = this.timeline.now;
    calm(this.faults);
    for (const process of this.processes) process.setClockRight();
  }

  private isFinished(): boolean {
    const { timeline, calmSince } = this;
    if (this.restored !== undefined)
      return timeline.isEmpty || timeline.now > (calmSince ?? timeline.now) + restoredMilliseconds;
    if (timeline.isEmpty) {
      const left = this.unfinished();
      if (left !== undefined) this.complain('world', `nothing will happen any more, but ${left}`);
      return left === undefined;
    }
    // Long after the faults little happens, except perhaps one effect that runs again after its silence.
    const isQuiet = calmSince !== undefined && timeline.now > calmSince + busyMilliseconds;
    if (!isQuiet && timeline.steps % stepsBetweenLooks !== 0) return false;
    if (isQuiet) this.complainOfTimers();
    if (timeline.steps > stepsMax) this.complain('world', `goes in a circle: ${timeline.steps} events`);
    if (calmSince === undefined) return false;
    const left = this.unfinished();
    if (left !== undefined && timeline.now > calmSince + restMillisecondsMax)
      this.complain('world', `does not come to rest: ${left}`);
    return left === undefined;
  }

  /** The wall clocks are right again: every timer rings soon after its date, also where a partition was asleep. */
  private complainOfTimers(): void {
    for (const { number, partition, disk, process } of this.seats) {
      const complaint = partition && overdueTimer(number, disk, process.now(), timerMilliseconds);
      if (complaint !== undefined) this.complain('timers', complaint);
    }
  }

  /** Unfinished work, in words. */
  private unfinished(): string | undefined {
    if (!this.gateway.isQuiet) return 'the gateway has not heard all events';
    if (this.openCalls.size > 0) return `${this.openCalls.size} calls are open`;
    const disks = this.seats.map(({ disk }) => disk);
    for (const { number, partition } of this.seats) {
      if (partition === undefined) return `partition ${number} is down`;
      if (!partition.isSettled) return leftOver(number, disks) ?? `partition ${number} is not settled`;
      const left = leftOver(number, disks);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  /** The problems that `murmuration check` would find. */
  private unsound(): readonly string[] {
    const { placement, workload, seats } = this;
    const keyspaces = workload.keyspaces;
    const readers = seats.map(({ store }) => store);
    return checkServer({ placement, readers, keyspaces, rules: [] }).partitions.flatMap(({ problems }) => problems);
  }

  private failure(): Error {
    const replay = `MURMURATION_SEED=${this.seed} npx vitest run test/sim`;
    return new Error(`${this.complaint}\n\nseed ${this.seed}; again: ${replay}\n\n${this.trace.join('\n')}`);
  }
}
