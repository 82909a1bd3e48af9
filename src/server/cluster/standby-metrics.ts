/** What a node of a cluster tells of its place in it, as metrics of the main thread. */
import { gauge } from '../../runtime/metrics/metric.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';
import type { Standby } from './standby.ts';

const serving = gauge({
  name: 'cluster_serving',
  help: 'Of a node in a cluster: 1 while it serves, 0 while it stands by',
});
const lagRecords = gauge({
  name: 'cluster_lag_records',
  labels: ['partition'],
  help: 'Records of the log that a node that stands by has not applied yet',
});
const lagSeconds = gauge({
  name: 'cluster_lag_seconds',
  labels: ['partition'],
  help: 'Seconds since a node that stands by had applied everything in the log',
});

export function sampleStandby(metrics: Metrics, standby: Standby, partitions: number): void {
  metrics.sampled(serving, [], () => Number(standby.isServing));
  for (let partition = 0; partition < partitions; partition += 1) {
    const label = [String(partition)];
    metrics.sampled(lagRecords, label, () => standby.lags[partition]?.records ?? 0);
    metrics.sampled(lagSeconds, label, () => standby.lags[partition]?.seconds ?? 0);
  }
}
