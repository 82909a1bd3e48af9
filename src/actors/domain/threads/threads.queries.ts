/** Reads how far the fetching of a thread is. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { fetchedThreads, threadFetches } from './threads.state.ts';

export interface ThreadProgress {
  readonly isRunning: boolean;
  /** Statuses that were not here before. */
  readonly stored: number;
  /** Whether there may be more than was fetched. */
  readonly isCut: boolean;
}

/** Undefined where it was not fetched lately. `host`: that of the author of the status. */
export function findThreadProgress(reader: Reader, host: string, statusId: Id): ThreadProgress | undefined {
  const running = reader.get(threadFetches, [host, statusId]);
  if (running !== undefined) return { isRunning: true, stored: running.stored, isCut: running.isCut };
  const over = reader.get(fetchedThreads, [host, statusId]);
  return over === undefined ? undefined : { isRunning: false, stored: over.stored, isCut: over.isCut };
}
