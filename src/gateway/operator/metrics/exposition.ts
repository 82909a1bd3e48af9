/** Writes the metrics of all threads in the text format of Prometheus, with prom-client. */
import prometheus from 'prom-client';
import type { Family, Series } from '../../../runtime/metrics/reading.ts';

export const expositionType = prometheus.Registry.PROMETHEUS_CONTENT_TYPE;

/** One line of a metric, as prom-client has it. */
interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function expositionOf(families: ReadonlyMap<string, Family>): Promise<string> {
  // Each series names its thread, so that there is nothing to add up.
  const aggregator = 'first';
  const metrics = Array.from(families.values(), ({ metric: { name, help, type, buckets }, series }) => {
    const samplesOf = type === 'histogram' ? (one: Series) => histogramSamples(name, buckets, one) : single(name);
    return { name, help, type, aggregator, values: series.flatMap(samplesOf) };
  });
  return prometheus.AggregatorRegistry.aggregate([metrics]).metrics();
}

const single =
  (metricName: string) =>
  ({ labels, value }: Series): Sample => ({ metricName, labels: Object.fromEntries(labels), value });

/** Buckets count all values up to their bound. */
function histogramSamples(name: string, buckets: readonly number[], { labels, counts, value }: Series): Sample[] {
  const own = Object.fromEntries(labels);
  let count = 0;
  const samples = counts.map((inBucket, index): Sample => {
    count += inBucket;
    const le = index < buckets.length ? String(buckets[index]) : '+Inf';
    return { metricName: `${name}_bucket`, labels: { ...own, le }, value: count };
  });
  return [
    ...samples,
    { metricName: `${name}_sum`, labels: own, value },
    { metricName: `${name}_count`, labels: own, value: count },
  ];
}
