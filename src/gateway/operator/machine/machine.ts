/**
 * The machine of a gateway thread: samples it on demand, and once a second for those who watch, whatever their number.
 * While nobody watches nothing is read.
 */
import { type MeasuringThread, MetricsReader } from '../../../runtime/metrics/reading.ts';
import type { Problem } from '../../../runtime/ports.ts';
import type { LaneReport } from '../../../services/delivery-lanes.ts';
import { type MachineView, machineView } from './machine-view.ts';
import { type MachineSample, type ProcessFigures, sampleOf } from './sample.ts';

interface MachineInput {
  readonly measured: readonly MeasuringThread[];
  figures(): ProcessFigures;
  lanes(): Promise<readonly LaneReport[]>;
  now(): number;
  report(problem: Problem): void;
  /** Between two samples while somebody watches; a second by default. */
  readonly pauseMilliseconds?: number;
}

/** The newest last. */
export type Watcher = (history: readonly MachineView[]) => void;

export const machineLimits = {
  sampleMilliseconds: 1_000,
  /** Views that charts show. */
  historyMax: 60,
  /** Network threads are asked for lanes less often. */
  lanesMilliseconds: 5_000,
} as const;

export class Machine {
  private readonly input: MachineInput;
  private readonly reader: MetricsReader;
  private readonly watchers = new Set<Watcher>();
  private readonly history: MachineView[] = [];
  private last: MachineSample | undefined;
  private lanes: readonly LaneReport[] = [];
  private lanesAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(input: MachineInput) {
    this.input = input;
    this.reader = new MetricsReader(input.measured);
  }

  async sample(): Promise<MachineSample> {
    const now = this.input.now();
    if (now - this.lanesAt >= machineLimits.lanesMilliseconds) {
      this.lanesAt = now;
      this.lanes = await this.input.lanes();
    }
    return sampleOf({ metrics: this.reader.read(), figures: this.input.figures(), lanes: this.lanes, at: now });
  }

  /** As watchers see it, or since the start where nobody watches. */
  async views(): Promise<readonly MachineView[]> {
    return this.history.length > 0 ? this.history : [machineView(await this.sample())];
  }

  /** Calls back once a second, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    const { pauseMilliseconds = machineLimits.sampleMilliseconds } = this.input;
    this.timer ??= setInterval(() => void this.look(), pauseMilliseconds);
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
      this.last = undefined;
      this.history.length = 0;
    };
  }

  /** Never rejects. One look at a time: network threads may be slow to answer. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const sample = await this.sample();
      if (this.watchers.size === 0) return;
      if (this.last !== undefined) this.history.push(machineView(sample, this.last));
      this.last = sample;
      if (this.history.length > machineLimits.historyMax) this.history.shift();
      if (this.history.length > 0) for (const watcher of [...this.watchers]) watcher(this.history);
    } catch (error) {
      this.input.report({ level: 'warn', message: 'the state of the machine could not be read', error });
    } finally {
      this.isLooking = false;
    }
  }
}
