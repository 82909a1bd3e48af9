/**
 * Trends are computed by each gateway when requested, and kept the longer the more statuses were examined: a second on a
 * new server, five minutes on a busy one.
 */
import { KeptResult } from '../../services/kept-result.ts';
import type { Services } from '../../services/services.ts';

const keptMillisecondsMin = 1_000;
/** Some thousand times what it takes to examine a status. */
const keptMillisecondsPerStatus = 60;

export interface Examined {
  /** How many statuses were examined. */
  readonly examined: number;
}

/** `perStatus`: milliseconds. */
export function keptTrends<Found extends Examined>(
  services: Services,
  compute: () => Found | Promise<Found>,
  perStatus = keptMillisecondsPerStatus,
): KeptResult<Found> {
  const keptMilliseconds = ({ examined }: Found) => Math.max(keptMillisecondsMin, examined * perStatus);
  return new KeptResult(services, async () => compute(), keptMilliseconds);
}
