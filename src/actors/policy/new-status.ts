/** The record of a new local status, as its author stores it and as the caller may show it. */
import { timeOfId } from '../../runtime/ids.ts';
import type { PublishStatus } from '../account/statuses/statuses.messages.ts';
import type { Status } from '../account/statuses/statuses.records.ts';
import { heldFormOf } from './held-replies.ts';
import { contentOfWritten } from './status-parts.ts';

/** Only the author decides the id, which contains the time. */
export function newStatus(message: PublishStatus, id: bigint, accountId: bigint): Status {
  const createdAt = timeOfId(id);
  const content = contentOfWritten(message, createdAt);
  const status = { ...content, application: message.application, id, accountId, createdAt };
  return message.asksToReply === undefined ? status : heldFormOf(status);
}
