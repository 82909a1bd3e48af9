/** Reads the warnings that an account got from moderation. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import type { KeptWarning } from '../notifications/notifications.records.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { warnings } from './warnings.state.ts';

export interface StoredWarning extends KeptWarning {
  readonly id: Id;
}

/** Newest first. */
export function warningsOf(reader: Reader, accountId: Id, bounds: PageBounds): Page<StoredWarning> {
  return takePage(
    reader.range(warnings, [accountId], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }): StoredWarning => ({ id: key[1], ...value }),
  );
}

/** One of an earlier version is known by its notification alone. */
export function findWarning(reader: Reader, accountId: Id, warningId: Id): StoredWarning | undefined {
  const kept = reader.get(warnings, [accountId, warningId]);
  if (kept !== undefined) return { id: warningId, ...kept };
  const { warning, createdAt } = reader.get(notifications, [accountId, warningId]) ?? {};
  return warning && createdAt !== undefined ? { id: warningId, ...warning, createdAt } : undefined;
}
