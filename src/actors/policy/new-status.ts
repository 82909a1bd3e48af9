/** The record of a new local status, as its author stores it and as the caller may show it. */
import { timeOfId } from '../../runtime/ids.ts';
import type { Poll } from '../account/polls/polls.records.ts';
import type { PublishStatus } from '../account/statuses/statuses.messages.ts';
import type { Status } from '../account/statuses/statuses.records.ts';

/** Only the author decides the id, which contains the time. */
export function newStatus(message: PublishStatus, id: bigint, accountId: bigint): Status {
  return {
    id,
    accountId,
    createdAt: timeOfId(id),
    visibility: message.visibility,
    sensitive: message.sensitive,
    spoilerText: message.spoilerText,
    text: message.text,
    content: message.content,
    language: message.language,
    inReplyToId: message.inReplyToId,
    inReplyToAccountId: message.inReplyToAccountId,
    threadId: message.threadId,
    mentions: message.mentions.map(({ mention }) => mention),
    tags: message.tags,
    emojis: message.emojis,
    attachments: message.attachments,
    application: message.application,
    poll: newPoll(message.poll, timeOfId(id)),
    ...quoteOf(message),
    ...taggedIn(message),
  };
}

/** Most statuses quote nothing, and have no field for it. */
function quoteOf({ quote, quoteApproval }: PublishStatus): Pick<Status, 'quote' | 'quoteApproval'> {
  if (quote === undefined) return { quoteApproval };
  const { request: _request, ...kept } = quote;
  return { quote: kept, quoteApproval };
}

function taggedIn({ taggedCollections }: PublishStatus): Pick<Status, 'taggedCollections'> {
  return taggedCollections === undefined ? {} : { taggedCollections };
}

export function newPoll(asked: PublishStatus['poll'], now: number): Poll | undefined {
  if (asked === undefined) return undefined;
  const { expiresInSeconds, ...poll } = asked;
  return { ...poll, expiresAt: now + 1_000 * expiresInSeconds };
}
