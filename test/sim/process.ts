/**
 * A process with its partitions: it may crash at any moment, stop in order, and start again. Somebody sets its wall clock
 * again and again.
 */
import { threadLimits } from '../../src/runtime/limits.ts';
import { Seat } from './seat.ts';
import type { World } from './world.ts';

/** The clock of a world that begins: 14 November 2023, and some. */
const beginning = 1_700_000_000_000;

const lostMillisecondsMax = 1_500;

interface SetBack {
  /** The time of the world, and what the wall clock showed. */
  readonly at: number;
  readonly shown: number;
}

export class SimulatedProcess {
  readonly seats: readonly Seat[];
  private readonly world: World;
  private life = 0;
  private running = false;
  private stopping = false;
  private clockOffset = 0;
  /** As of when the partitions heard of it. */
  private clockOffsetHeard = 0;
  private clockOffsetMax = 0;
  private readonly setBacks: SetBack[] = [];

  constructor(partitions: readonly number[], world: World) {
    this.world = world;
    this.seats = partitions.map((number) => new Seat(number, this, world));
  }

  /** Higher with every start. */
  get lifeNumber(): number {
    return this.life;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** The wall clock of this process, in milliseconds since 1970. */
  now(): number {
    return beginning + Math.floor(this.world.timeline.now * this.world.faults.clockSpeed) + this.clockOffset;
  }

  /** Schedules a callback that runs only if the process is still alive. */
  after(milliseconds: number, run: () => void): void {
    const life = this.life;
    this.world.timeline.after(milliseconds, () => {
      if (life === this.life) run();
    });
  }

  start(): void {
    this.life += 1;
    this.running = true;
    this.moveClock();
    for (const seat of this.seats) seat.open();
    if (this.life > 1) for (const { number } of this.seats) this.world.gateway.replaced(number, this.life);
  }

  /** Somebody sets the wall clock, ahead or back. */
  moveClock(): void {
    const { faults, random } = this.world;
    this.setClock(this.clockOffset + random.between(-faults.clockJumpMilliseconds, faults.clockJumpMilliseconds));
  }

  /** The wall clock is set for good, to where all that has been planned by it comes within seconds. */
  setClockRight(): void {
    this.setClock(this.clockOffsetMax);
    this.tellClockSet();
  }

  /** Whether the wall clock has shown this date since then, a time of the world, and was set back. */
  hasShown(date: number, since: number): boolean {
    return this.setBacks.some(({ at, shown }) => at >= since && shown >= date);
  }

  private setClock(offset: number): void {
    if (offset < this.clockOffset) this.setBacks.push({ at: this.world.timeline.now, shown: this.now() });
    this.clockOffset = offset;
    this.clockOffsetMax = Math.max(offset, this.clockOffsetMax);
    if (Math.abs(offset - this.clockOffsetHeard) >= threadLimits.clockSetMilliseconds) this.tellClockSet();
  }

  /** Partitions hear of it sooner or later. */
  private tellClockSet(): void {
    this.clockOffsetHeard = this.clockOffset;
    this.after(this.world.random.below(threadLimits.clockCheckMilliseconds + 1), () => {
      this.world.detail(() => `the wall clock of ${this.names()} is ${this.clockOffset} ms ahead`);
      for (const { partition } of this.seats) partition?.clockSet();
    });
  }

  crash(): void {
    if (!this.running) return;
    this.world.note(`the process of ${this.names()} dies`);
    for (const seat of this.seats) seat.crash(this.world.random.below(2));
    this.ended();
  }

  /** Closes the partitions in order, then starts again. */
  restart(): void {
    if (!this.running || this.stopping) return;
    this.world.note(`the process of ${this.names()} stops`);
    this.stopping = true;
    const { life } = this;
    void Promise.all(this.seats.map((seat) => seat.close())).then(() => {
      if (life === this.life) this.ended();
    });
  }

  /**
   * Another owner takes one of its partitions. It continues until it notices, and takes the partition back some time
   * later.
   */
  lose(): void {
    if (!this.running || this.stopping) return;
    const { random } = this.world;
    random.pick(this.seats).takeAway();
    this.after(random.below(lostMillisecondsMax), () => this.crash());
  }

  /** A disk of one of its partitions cannot be read for a while. */
  blind(milliseconds: number): void {
    if (this.running) this.world.random.pick(this.seats).blind(milliseconds);
  }

  private names(): string {
    return `partition ${this.seats.map(({ number }) => number).join(' and ')}`;
  }

  private ended(): void {
    this.life += 1;
    this.running = false;
    this.stopping = false;
    const downtime = this.world.random.pick(this.world.faults.downMilliseconds);
    this.world.timeline.after(downtime, () => {
      this.world.note(`the process of ${this.names()} starts`);
      this.start();
      // Other owners learn of it sooner or later, or never: then their timers must suffice.
      if (this.world.random.chance(0.5)) this.world.resendTo(this);
    });
  }
}
