/** Reads which threads an account has muted. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { threadOf } from '../statuses/statuses.records.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { mutedThreads } from './threads.state.ts';

/**
 * Which of many statuses are in threads that the account has muted, in the order of the ids. One read where none is
 * muted.
 */
export function inMutedThreads(reader: Reader, accountId: Id, statusIds: readonly Id[]): boolean[] {
  const [first] = reader.range(mutedThreads, [accountId], { limit: 1 });
  if (first === undefined) return statusIds.map(() => false);
  return statusIds.map((statusId) => {
    const status = reader.get(statuses, [statusId]);
    return status !== undefined && reader.get(mutedThreads, [accountId, threadOf(status)]) !== undefined;
  });
}
