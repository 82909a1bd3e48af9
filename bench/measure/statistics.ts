/** The few statistics that the figures need. */

export function median(values: ArrayLike<number>): number {
  return percentile(values, 50);
}

/** By linear interpolation between the two nearest ranks; throws for no values. */
export function percentile(values: ArrayLike<number>, percent: number): number {
  if (values.length === 0) throw new Error('there is nothing to take a percentile of');
  const sorted = Float64Array.from(values).sort();
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}
