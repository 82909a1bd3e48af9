/** All parts of a status at once: from messages to what is stored, and from there to events and versions. Pure. */
import type { ReceivedStatus } from '../account/remote/remote.messages.ts';
import type { StatusFacts } from '../account/statuses/statuses.events.ts';
import type { EditStatus, PublishStatus } from '../account/statuses/statuses.messages.ts';
import {
  partFields,
  type Status,
  StatusContent,
  type StatusVersion,
  statusParts,
} from '../account/statuses/statuses.records.ts';

const parts = Object.values(statusParts);

/** The fields of all parts in a stored status. */
type Parts = Pick<Status, keyof ReturnType<typeof partFields<'stored'>>>;
type Stored = Pick<Status, keyof typeof StatusContent.shape> & Parts;

const storedFields = Object.keys({ ...StatusContent.shape, ...partFields('stored') });

/** What a message says in fields that a status has too; where they differ, the caller replaces them. */
function sameFields(message: PublishStatus | EditStatus | ReceivedStatus): Stored {
  const source: Record<string, unknown> = message;
  const same: Record<string, unknown> = {};
  for (const field of storedFields) if (source[field] !== undefined) same[field] = source[field];
  return same as Stored;
}

/** What a status that is published `now` stores of the message. */
export function contentOfWritten(message: PublishStatus, now: number): Stored {
  const content = { ...sameFields(message), mentions: message.mentions.map(({ mention }) => mention) };
  for (const part of parts) Object.assign(content, part.ofWritten?.(message, now));
  return content;
}

/** What an edit by a local author changes. */
export function contentOfEdit(before: Status, edit: EditStatus, now: number): Partial<Stored> {
  const content = { ...sameFields(edit), mentions: edit.mentions.map(({ mention }) => mention) };
  for (const part of parts) Object.assign(content, part.ofEdit?.(before, edit, now));
  return content;
}

/** What a status of another server stores of the message. It has no source text. */
export function contentOfReceived(received: ReceivedStatus): Stored {
  const content = { ...sameFields(received), text: '' };
  for (const part of parts) Object.assign(content, part.ofReceived?.(received));
  return content;
}

/** The parts that differ from those of a new status, after an edit by another server. */
export function partsAfterReceivedEdit(before: Status, received: ReceivedStatus): Partial<Parts> {
  const after = {};
  for (const part of parts) Object.assign(after, part.ofReceivedEdit?.(before, received));
  return after;
}

/** The fields that another server may change without an edit. */
export const silentFields: readonly (keyof Parts & keyof ReceivedStatus)[] = parts.flatMap(
  ({ silent }) => silent ?? [],
);

/** Differs between two versions of a status exactly if one is an edit of the other. */
export function shownContent(status: Status): unknown[] {
  const { text, content, sensitive, spoilerText, language, mentions, tags, emojis } = status;
  const shown: unknown[] = [text, content, sensitive, spoilerText, language, mentions, tags, emojis];
  for (const part of parts) shown.push(part.content?.(status));
  return shown;
}

export function versionOf(status: Status): StatusVersion {
  const { createdAt, editedAt = createdAt, content, spoilerText, sensitive, emojis, attachments } = status;
  const version = { createdAt: editedAt, content, spoilerText, sensitive, emojis, attachments };
  for (const part of parts) Object.assign(version, part.versionOf?.(status));
  return version;
}

export function factsOfParts(status: Status): Partial<StatusFacts> {
  const facts = {};
  for (const part of parts) Object.assign(facts, part.facts?.(status));
  return facts;
}
