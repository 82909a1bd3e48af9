/** Usage statistics for the instance documents and NodeInfo. */

import { type Usage, usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Clock } from '../../runtime/ports.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

type UsageServices = Pick<Services, 'snapshots' | 'members' | keyof Clock>;

/** A read visits up to 181 records per partition: the numbers are kept long enough to use a hundredth of the time. */
const shareOfTime = 0.01;
const keptMillisecondsMax = 60_000;
const kept = member((): { known?: { readonly usage: Usage; readonly until: number } } => ({}));

/** At most a minute old; on a small server some tens of milliseconds. */
export function currentUsage(services: UsageServices): Usage {
  const { snapshots, now, monotonic } = services;
  const began = monotonic();
  const { known } = kept(services);
  if (known !== undefined && began < known.until) return known.usage;
  const usage = usageOf(snapshots.partitions, dayOf(now()));
  const cost = monotonic() - began;
  kept(services).known = { usage, until: began + Math.min(cost / shareOfTime, keptMillisecondsMax) };
  return usage;
}
