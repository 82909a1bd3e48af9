/**
 * The declaration of a metric: the name and unit that operators see, its labels, and what it means. Names follow the
 * conventions of Prometheus: `murmuration_<name>_<unit>`, with `_total` for counters.
 */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  /** What it means, for the operator. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, ascending; for histograms. */
  readonly buckets: readonly number[];
}

interface Declaration {
  readonly name: string;
  /** The unit of a value; none for counts. */
  readonly unit?: 'seconds' | 'bytes';
  readonly labels?: readonly string[];
  readonly help: string;
}

export interface CounterMetric extends Metric {
  readonly type: 'counter';
}

export interface GaugeMetric extends Metric {
  readonly type: 'gauge';
}

export interface HistogramMetric extends Metric {
  readonly type: 'histogram';
}

/** Only goes up. */
export function counter(declaration: Declaration): CounterMetric {
  return { type: 'counter', ...metric(declaration), name: `${fullName(declaration)}_total`, buckets: [] };
}

/** Goes up and down. */
export function gauge(declaration: Declaration): GaugeMetric {
  return { type: 'gauge', ...metric(declaration), buckets: [] };
}

/** Counts values by bucket, and their sum. */
export function histogram(declaration: Declaration & { readonly buckets: readonly number[] }): HistogramMetric {
  return { type: 'histogram', ...metric(declaration), buckets: declaration.buckets };
}

/** From a quick turn to the longest time that a caller waits. */
export const secondsBuckets: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

function metric(declaration: Declaration): Omit<Metric, 'type' | 'buckets'> {
  const { labels = [], help } = declaration;
  return { name: fullName(declaration), help, labels };
}

function fullName({ name, unit }: Declaration): string {
  return unit === undefined ? `murmuration_${name}` : `murmuration_${name}_${unit}`;
}
