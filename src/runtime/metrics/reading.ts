/** Reads the metrics of all threads. */
import { MetricsLayout, seriesRefusedWord } from './layout.ts';
import { gauge, type Metric } from './metric.ts';

export interface Series {
  /** The first label is the thread that measures it. */
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** Of a histogram: the number of values per bucket, and above them all. */
  readonly counts: readonly number[];
  /** Of a histogram: the sum of the values. */
  readonly value: number;
}

export interface Family {
  readonly metric: Metric;
  readonly series: Series[];
}

export interface MeasuringThread {
  readonly title: string;
  readonly memory: SharedArrayBuffer;
}

const seriesRefused = gauge({
  name: 'metrics_series_refused',
  help: 'Series that did not fit into the table of a thread: their values are lost',
});

/** Reads the same threads again and again: which series there are is not read anew each time. */
export class MetricsReader {
  private readonly threads: readonly { readonly title: string; readonly layout: MetricsLayout }[];

  constructor(threads: readonly MeasuringThread[]) {
    this.threads = threads.map(({ title, memory }) => ({ title, layout: new MetricsLayout(memory) }));
  }

  /** By name, in the order in which threads first wrote them. */
  read(): ReadonlyMap<string, Family> {
    const families = new Map<string, Family>();
    for (const { title, layout } of this.threads) readThread(families, title, layout);
    return families;
  }
}

export function readMetrics(threads: readonly MeasuringThread[]): ReadonlyMap<string, Family> {
  return new MetricsReader(threads).read();
}

function readThread(families: Map<string, Family>, title: string, layout: MetricsLayout): void {
  const metrics: Metric[] = [];
  for (const line of layout.lines()) {
    if ('metric' in line) {
      metrics.push(line.metric);
      continue;
    }
    const metric = metrics[line.of]!;
    const labels = metric.labels.map((name, index) => [name, line.values[index] ?? ''] as const);
    const buckets = metric.type === 'histogram' ? metric.buckets.length + 1 : 0;
    const counts = Array.from(layout.cells.subarray(line.cell, line.cell + buckets));
    const value = layout.cells[line.cell + buckets]!;
    add(families, metric, { labels: [['thread', title], ...labels], counts, value });
  }
  const value = layout.words[seriesRefusedWord]!;
  add(families, seriesRefused, { labels: [['thread', title]], counts: [], value });
}

function add(families: Map<string, Family>, metric: Metric, series: Series): void {
  const family = families.get(metric.name);
  if (family === undefined) families.set(metric.name, { metric, series: [series] });
  else family.series.push(series);
}
