/**
 * The memory into which one thread writes its metrics and from which others read: a directory of JSON lines (which
 * series exist and where their cells are), then the cells. The directory only grows; its length is published after its
 * bytes.
 */
import type { Metric } from './metric.ts';

/** One line: a metric with its first series, or a further series of a metric declared on an earlier line. */
export type DirectoryLine =
  | { readonly metric: Metric }
  /** Index of the metric among the metrics, the values of its labels, its first cell. */
  | { readonly of: number; readonly values: readonly string[]; readonly cell: number };

export const metricsLimits = {
  directoryBytesMax: 128 * 1024,
  cellsMax: 16_384,
} as const;

/** Bytes of the directory; cells in use; series refused for lack of room. */
export const directoryLengthWord = 0;
export const cellsUsedWord = 1;
export const seriesRefusedWord = 2;
/** One more than needed, so that the cells are aligned. */
const words = 4;

export function allocateMetrics(): SharedArrayBuffer {
  const { directoryBytesMax, cellsMax } = metricsLimits;
  return new SharedArrayBuffer(words * 4 + directoryBytesMax + cellsMax * 8);
}

export class MetricsLayout {
  readonly words: Int32Array;
  readonly directory: Buffer;
  readonly cells: Float64Array;
  private known: readonly DirectoryLine[] = [];
  private knownBytes = 0;

  constructor(memory: SharedArrayBuffer) {
    const { directoryBytesMax, cellsMax } = metricsLimits;
    this.words = new Int32Array(memory, 0, words);
    this.directory = Buffer.from(memory, words * 4, directoryBytesMax);
    this.cells = new Float64Array(memory, words * 4 + directoryBytesMax, cellsMax);
  }

  /** The directory as it is now. */
  lines(): readonly DirectoryLine[] {
    const bytes = Atomics.load(this.words, directoryLengthWord);
    if (bytes === this.knownBytes) return this.known;
    // It only grows: what was read before stays.
    const added = this.directory.toString('utf8', this.knownBytes, bytes).split('\n');
    const lines = added.filter((line) => line !== '').map((line) => JSON.parse(line) as DirectoryLine);
    this.known = [...this.known, ...lines];
    this.knownBytes = bytes;
    return this.known;
  }
}

/** A histogram has a cell for each bucket, one for values above them all, and one for the sum. */
export function cellsOf({ type, buckets }: Metric): number {
  return type === 'histogram' ? buckets.length + 2 : 1;
}
