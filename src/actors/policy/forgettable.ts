/** Which statuses of other servers this one may forget: those that it can have again. Pure. */
import type { Status } from '../account/statuses/statuses.records.ts';
import { isForEverybody } from './visibility.ts';

/**
 * Whether its server gives it to anybody who asks. What was written to some people only could not be fetched again, and a
 * reblog goes with what it reblogs.
 */
export function isFetchable(status: Pick<Status, 'uri' | 'reblogOfId' | 'visibility' | 'localOnly'>): boolean {
  return status.uri !== undefined && status.reblogOfId === undefined && isForEverybody(status);
}
