/** Usage statistics for the instance documents and NodeInfo. */

import { type Usage, usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Services } from '../../services/services.ts';

type UsageServices = Pick<Services, 'snapshots' | 'now'>;

/** A read visits up to 181 records per partition: the numbers are kept long enough to use a hundredth of the time. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 60_000;
const kept = new WeakMap<UsageServices['snapshots'], { usage: Usage; until: number }>();

/** At most a minute old; on a small server some tens of milliseconds. */
export function currentUsage({ snapshots, now }: UsageServices): Usage {
  const time = now();
  const known = kept.get(snapshots);
  if (known !== undefined && time < known.until) return known.usage;
  const began = performance.now();
  const usage = usageOf(snapshots.partitions, dayOf(time));
  const cost = performance.now() - began;
  kept.set(snapshots, { usage, until: time + Math.min(cost / shareOfTime, keptMillisecondsMax) });
  return usage;
}
