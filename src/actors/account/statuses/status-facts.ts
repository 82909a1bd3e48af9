/** The facts about a status that its events carry. */
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import { factsOfParts } from '../../policy/status-parts.ts';
import type { StatusFacts } from './statuses.events.ts';
import { isLocal, type Status } from './statuses.records.ts';

export function factsOf(status: Status): StatusFacts {
  const {
    id,
    accountId,
    visibility,
    reblogOfId,
    reblogOfAccountId,
    inReplyToId,
    inReplyToAccountId,
    threadId,
    language,
  } = status;
  // Nobody is told of a reply that waits for consent.
  const isHeld = status.heldReply !== undefined;
  return withoutUndefined({
    id,
    accountId,
    local: isLocal(status),
    visibility,
    reblogOfId,
    reblogOfAccountId,
    inReplyToId,
    inReplyToAccountId,
    tags: status.tags.map((tag) => tag.name),
    mentions: isHeld ? [] : status.mentions.map((mention) => mention.id),
    hasMedia: false,
    language,
    answersUnknown: status.answersUnknown,
    importedFrom: status.importedFrom,
    ...factsOfParts(isHeld ? { ...status, addressed: undefined } : status),
    threadId,
  });
}
