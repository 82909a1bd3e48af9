/** How much the server is used, as the instance documents and NodeInfo show it. */

import { type Usage, usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Services } from '../../services/services.ts';

type UsageServices = Pick<Services, 'snapshots' | 'now'>;

/** Reading takes up to 181 records of each partition: the numbers are kept so long that it costs a hundredth of the time. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 60_000;
const kept = new WeakMap<UsageServices['snapshots'], { usage: Usage; until: number }>();

/** At most a minute old, and on a small server at most some tens of milliseconds. */
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
