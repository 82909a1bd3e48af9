/** Reads what an account has scheduled. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { ScheduledStatus } from './scheduled.records.ts';
import { scheduledStatuses } from './scheduled.state.ts';

export function findScheduled(reader: Reader, accountId: Id, scheduledId: Id): ScheduledStatus | undefined {
  return reader.get(scheduledStatuses, [accountId, scheduledId]);
}

/** The last scheduled comes first. */
export function scheduledBy(reader: Reader, accountId: Id, bounds: PageBounds): Page<ScheduledStatus> {
  return takePage(
    reader.range(scheduledStatuses, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ value }) => value,
  );
}
