/** Reads what an account has scheduled. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { statusOfIdempotencyKey } from '../statuses/statuses.queries.ts';
import type { ScheduledStatus } from './scheduled.records.ts';
import { scheduledStatuses } from './scheduled.state.ts';

export function findScheduled(reader: Reader, accountId: Id, scheduledId: Id): ScheduledStatus | undefined {
  return reader.get(scheduledStatuses, [accountId, scheduledId]);
}

/** Distinct from the keys of statuses that are published at once. */
export function keyOfScheduled(idempotencyKey: string): string {
  return `scheduled ${idempotencyKey}`;
}

/** What was scheduled under an idempotency key within the last hour, unless it was published or cancelled since. */
export function scheduledUnderKey(reader: Reader, accountId: Id, idempotencyKey: string): Id | undefined {
  const known = statusOfIdempotencyKey(reader, accountId, keyOfScheduled(idempotencyKey));
  return known === undefined ? undefined : findScheduled(reader, accountId, known)?.id;
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
