/** How much the server is used, as the instance documents and NodeInfo show it. */

import { type Usage, usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Services } from '../../services/services.ts';

type UsageServices = Pick<Services, 'snapshots' | 'now'>;

/** Reading takes up to 181 records of each partition, so that the numbers are kept for a moment. */
const keptMilliseconds = 60_000;
const kept = new WeakMap<UsageServices['snapshots'], { usage: Usage; until: number }>();

/** At most a minute old. */
export function currentUsage({ snapshots, now }: UsageServices): Usage {
  const time = now();
  const known = kept.get(snapshots);
  if (known !== undefined && time < known.until) return known.usage;
  const usage = usageOf(snapshots.partitions, dayOf(time));
  kept.set(snapshots, { usage, until: time + keptMilliseconds });
  return usage;
}
