/**
 * The metrics of one thread, in memory that others may read at any time. One thread writes; a value is one aligned
 * store without locks, cheap enough to be always on. The memory outlives the thread: counters continue in its
 * replacement.
 */
import {
  cellsOf,
  cellsUsedWord,
  type DirectoryLine,
  directoryLengthWord,
  MetricsLayout,
  metricsLimits,
  seriesRefusedWord,
} from './layout.ts';
import type { CounterMetric, GaugeMetric, HistogramMetric, Metric } from './metric.ts';

export class Counter {
  private readonly cells: Float64Array;
  private readonly cell: number;

  constructor(cells: Float64Array, cell: number) {
    this.cells = cells;
    this.cell = cell;
  }

  add(count = 1): void {
    this.cells[this.cell]! += count;
  }
}

export class Gauge {
  private readonly cells: Float64Array;
  private readonly cell: number;

  constructor(cells: Float64Array, cell: number) {
    this.cells = cells;
    this.cell = cell;
  }

  set(value: number): void {
    this.cells[this.cell] = value;
  }
}

export class Histogram {
  private readonly cells: Float64Array;
  private readonly cell: number;
  private readonly buckets: readonly number[];

  constructor(cells: Float64Array, cell: number, buckets: readonly number[]) {
    this.cells = cells;
    this.cell = cell;
    this.buckets = buckets;
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.buckets.length && value > this.buckets[bucket]!) bucket += 1;
    this.cells[this.cell + bucket]! += 1;
    this.cells[this.cell + this.buckets.length + 1]! += value;
  }
}

/** Where series are written for which there was no room. */
const nowhere = new Float64Array(256);

export class Metrics {
  readonly memory: SharedArrayBuffer;
  private readonly layout: MetricsLayout;
  private readonly metrics: string[] = [];
  private readonly series = new Map<string, number>();
  private readonly samplers: (() => void)[] = [];

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.layout = new MetricsLayout(memory);
    const types: Metric['type'][] = [];
    for (const line of this.layout.lines()) {
      if ('metric' in line) {
        this.metrics.push(line.metric.name);
        types.push(line.metric.type);
        continue;
      }
      // The state of the earlier thread of this name ended with it; its counts continue.
      if (types[line.of] === 'gauge') this.layout.cells[line.cell] = 0;
      this.series.set(seriesKey(this.metrics[line.of]!, line.values), line.cell);
    }
  }

  /** `values` are those of the labels, in the order of their declaration. */
  counter(metric: CounterMetric, ...values: readonly string[]): Counter {
    const cell = this.cellOf(metric, values);
    return cell === undefined ? new Counter(nowhere, 0) : new Counter(this.layout.cells, cell);
  }

  gauge(metric: GaugeMetric, ...values: readonly string[]): Gauge {
    const cell = this.cellOf(metric, values);
    return cell === undefined ? new Gauge(nowhere, 0) : new Gauge(this.layout.cells, cell);
  }

  histogram(metric: HistogramMetric, ...values: readonly string[]): Histogram {
    const cell = this.cellOf(metric, values);
    if (cell === undefined) return new Histogram(nowhere, 0, metric.buckets);
    return new Histogram(this.layout.cells, cell, metric.buckets);
  }

  /** A gauge that is read at intervals, instead of being set at every change. */
  sampled(metric: GaugeMetric, values: readonly string[], read: () => number): void {
    const series = this.gauge(metric, ...values);
    this.samplers.push(() => series.set(read()));
  }

  /** Registers work that several gauges share at each sampling. */
  onSample(sampler: () => void): void {
    this.samplers.push(sampler);
  }

  /** Reads all sampled gauges. */
  sample(): void {
    for (const sampler of this.samplers) sampler();
  }

  private cellOf(metric: Metric, values: readonly string[]): number | undefined {
    const key = seriesKey(metric.name, values);
    const known = this.series.get(key);
    if (known !== undefined) return known;
    const { words } = this.layout;
    const cell = words[cellsUsedWord]!;
    const end = cell + cellsOf(metric);
    if (end > metricsLimits.cellsMax || !this.publish(metric, values, cell)) {
      Atomics.add(words, seriesRefusedWord, 1);
      return undefined;
    }
    words[cellsUsedWord] = end;
    this.series.set(key, cell);
    return cell;
  }

  /** False when the directory is full. */
  private publish(metric: Metric, values: readonly string[], cell: number): boolean {
    const { words, directory } = this.layout;
    const place = this.metrics.indexOf(metric.name);
    const of = place === -1 ? this.metrics.length : place;
    const lines: DirectoryLine[] = [...(place === -1 ? [{ metric }] : []), { of, values, cell }];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const length = words[directoryLengthWord]!;
    if (length + bytes.byteLength > directory.byteLength) return false;
    directory.set(bytes, length);
    if (place === -1) this.metrics.push(metric.name);
    Atomics.store(words, directoryLengthWord, length + bytes.byteLength);
    return true;
  }
}

function seriesKey(name: string, values: readonly string[]): string {
  return [name, ...values].join('\n');
}
