/** Reads the replies to a status. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { readingLimits } from '../../limits.ts';
import { replies } from './statuses.state.ts';

/** Oldest first, regardless of visibility. */
export function repliesTo(reader: Reader, statusId: Id): Id[] {
  const range = reader.range(replies, [statusId], { limit: readingLimits.descendantsMax });
  return Array.from(range, ({ key }) => key[1]);
}
