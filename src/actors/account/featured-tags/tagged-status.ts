/** Which statuses a featured tag counts. */
import { isForEverybody } from '../../policy/visibility.ts';
import type { Status } from '../statuses/statuses.records.ts';

export function countsFor(status: Status, name: string): boolean {
  return isForEverybody(status) && status.tags.some((tag) => tag.name === name);
}
