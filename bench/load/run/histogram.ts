/**
 * A histogram of latencies with a fixed relative error: 128 buckets for each doubling, so that a percentile is at most
 * 0.8 % above the value it stands for, whatever the values are. Its memory is fixed (13 KB), and adding costs no allocation.
 */

const bucketsPerDoubling = 128;
const doublingBits = 7;
/** Microseconds: some 71 minutes. What is longer counts as that. */
const highest = 2 ** 32 - 1;
const bucketCount = (32 - doublingBits + 1) * bucketsPerDoubling;

export class Histogram {
  private readonly buckets = new Uint32Array(bucketCount);
  private total = 0;
  private sum = 0;
  private most = 0;

  add(milliseconds: number): void {
    const microseconds = Math.min(highest, Math.max(0, Math.round(milliseconds * 1_000)));
    this.buckets[bucketOf(microseconds)]! += 1;
    this.total += 1;
    this.sum += microseconds;
    if (microseconds > this.most) this.most = microseconds;
  }

  get count(): number {
    return this.total;
  }

  get meanMilliseconds(): number {
    return this.total === 0 ? 0 : this.sum / this.total / 1_000;
  }

  get highestMilliseconds(): number {
    return this.most / 1_000;
  }

  /** The upper edge of the bucket in which the value of this rank lies; 0 for no values. */
  percentile(percent: number): number {
    if (this.total === 0) return 0;
    let left = Math.max(1, Math.ceil((this.total * percent) / 100));
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      left -= this.buckets[bucket]!;
      if (left <= 0) return Math.min(upperEdgeOf(bucket), this.most) / 1_000;
    }
    return this.highestMilliseconds;
  }

  /** Joined to at most `columnsMax` columns of equal ratio, from the lowest value to the highest. */
  columns(columnsMax: number): readonly HistogramColumn[] {
    const filled = [...this.buckets.keys()].filter((bucket) => this.buckets[bucket]! > 0);
    const [first, last] = [filled[0], filled.at(-1)];
    if (first === undefined || last === undefined) return [];
    const width = Math.ceil((last - first + 1) / columnsMax);
    return Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, index) => {
      const from = first + index * width;
      const count = this.buckets.subarray(from, from + width).reduce((sum, one) => sum + one, 0);
      return { upToMilliseconds: upperEdgeOf(Math.min(from + width - 1, bucketCount - 1)) / 1_000, count };
    });
  }

  clear(): void {
    this.buckets.fill(0);
    this.total = 0;
    this.sum = 0;
    this.most = 0;
  }
}

export interface HistogramColumn {
  readonly upToMilliseconds: number;
  readonly count: number;
}

function bucketOf(microseconds: number): number {
  const doubling = Math.max(0, 32 - Math.clz32(microseconds) - doublingBits - 1);
  return doubling * bucketsPerDoubling + (microseconds >>> doubling);
}

function upperEdgeOf(bucket: number): number {
  const doubling = Math.max(0, Math.floor(bucket / bucketsPerDoubling) - 1);
  return (bucket - doubling * bucketsPerDoubling + 1) * 2 ** doubling - 1;
}
