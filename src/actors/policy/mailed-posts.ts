/** Which posts of an account are sent to those who have subscribed to it by mail. Pure. */

import type { Status } from '../account/statuses/statuses.records.ts';

/** Neither what is for some, nor reblogs, nor replies to others (behaviour of Mastodon), nor what was imported. */
export function isMailed(status: Status): boolean {
  const { visibility, reblogOfId, inReplyToId, inReplyToAccountId, accountId, localOnly, heldReply } = status;
  if (visibility !== 'public' || reblogOfId !== undefined || localOnly === true) return false;
  if (heldReply !== undefined || status.importedFrom !== undefined) return false;
  return inReplyToId === undefined || inReplyToAccountId === accountId;
}
