/**
 * What a run measures: for each name a histogram, errors by kind, and a point for each second. Only what was due within the
 * measured time counts, whenever it ends.
 */
import { Histogram, type HistogramColumn } from './histogram.ts';

const namesMax = 64;
const kindsMax = 32;
const columnsShown = 60;
const rest = 'other';

export interface SecondPoint {
  readonly second: number;
  readonly count: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Latencies {
  readonly count: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly errors: Readonly<Record<string, number>>;
}

export interface RecordedSeries {
  readonly name: string;
  readonly points: readonly SecondPoint[];
  readonly columns: readonly HistogramColumn[];
}

interface Series {
  readonly whole: Histogram;
  readonly second: Histogram;
  errorsOfSecond: number;
  readonly errors: Map<string, number>;
  readonly points: SecondPoint[];
}

export class Recorder {
  private readonly series = new Map<string, Series>();
  private readonly now: () => number;
  private from = Number.POSITIVE_INFINITY;
  private to = Number.POSITIVE_INFINITY;

  /** `now` is in milliseconds of a monotonic clock, as are all moments. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** What is due between these moments counts. */
  measure(from: number, to: number): void {
    this.from = from;
    this.to = to;
  }

  isMeasured(dueAt: number): boolean {
    return dueAt >= this.from && dueAt < this.to;
  }

  /** What was due then has just been done. */
  done(name: string, dueAt: number): void {
    this.took(name, dueAt, this.now() - dueAt);
  }

  took(name: string, dueAt: number, milliseconds: number): void {
    if (!this.isMeasured(dueAt)) return;
    const { whole, second } = this.seriesOf(name);
    whole.add(milliseconds);
    second.add(milliseconds);
  }

  failed(name: string, dueAt: number, kind: string, count = 1): void {
    if (!this.isMeasured(dueAt)) return;
    const series = this.seriesOf(name);
    const known = series.errors.has(kind) || series.errors.size < kindsMax ? kind : rest;
    series.errors.set(known, (series.errors.get(known) ?? 0) + count);
    series.errorsOfSecond += count;
  }

  /** Ends a second of the measured time. */
  endSecond(second: number): void {
    for (const series of this.series.values()) {
      const { second: latencies, errorsOfSecond, points } = series;
      const { count } = latencies;
      points.push({
        second,
        count,
        errors: errorsOfSecond,
        p50: latencies.percentile(50),
        p99: latencies.percentile(99),
      });
      latencies.clear();
      series.errorsOfSecond = 0;
    }
  }

  get names(): readonly string[] {
    return [...this.series.keys()];
  }

  /** Of the measured time so far; `seconds` long. */
  latencies(name: string, seconds: number): Latencies {
    const { whole, errors } = this.seriesOf(name);
    const at = (percent: number) => round(whole.percentile(percent));
    return {
      count: whole.count,
      perSecond: round(whole.count / seconds),
      mean: round(whole.meanMilliseconds),
      p50: at(50),
      p90: at(90),
      p95: at(95),
      p99: at(99),
      p999: at(99.9),
      max: round(whole.highestMilliseconds),
      errors: Object.fromEntries(errors),
    };
  }

  recorded(): readonly RecordedSeries[] {
    return [...this.series].map(([name, { points, whole }]) => ({
      name,
      points,
      columns: whole.columns(columnsShown),
    }));
  }

  /** Of all names together. */
  totals(): { readonly done: number; readonly failed: number } {
    let [done, failed] = [0, 0];
    for (const { whole, errors } of this.series.values()) {
      done += whole.count;
      for (const count of errors.values()) failed += count;
    }
    return { done, failed };
  }

  private seriesOf(name: string): Series {
    const known = this.series.get(name);
    if (known !== undefined) return known;
    if (this.series.size >= namesMax && name !== rest) return this.seriesOf(rest);
    const series: Series = {
      whole: new Histogram(),
      second: new Histogram(),
      errorsOfSecond: 0,
      errors: new Map(),
      points: [],
    };
    this.series.set(name, series);
    return series;
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
