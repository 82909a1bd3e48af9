/** Reads the replies to a status. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { readingLimits } from '../../limits.ts';
import { replies } from './statuses.state.ts';

export interface RepliesQuery {
  /** Only those that came after this one. */
  readonly after?: Id | undefined;
  readonly limit?: number;
}

/** Oldest first, regardless of visibility. */
export function repliesTo(reader: Reader, statusId: Id, { after, limit }: RepliesQuery = {}): Id[] {
  const from = after === undefined ? {} : { from: after + 1n };
  const range = reader.range(replies, [statusId], { ...from, limit: limit ?? readingLimits.descendantsMax });
  return Array.from(range, ({ key }) => key[1]);
}
