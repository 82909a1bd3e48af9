/** Every part of a status in a Note, in the order in which their tags are written. */
import type { PartName, Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Intersection } from '../../actors/status-part.ts';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import { type NotePart, type Reading, unwrittenPart, type Writing } from './note-part.ts';
import { attachmentsOfNote } from './note-parts/attachments.ts';
import { collectionsOfNote } from './note-parts/collections.ts';
import { consentOfNote } from './note-parts/consent.ts';
import { pollOfNote } from './note-parts/poll.ts';
import { quoteOfNote } from './note-parts/quote.ts';
import { replyPolicyOfNote } from './note-parts/reply-policy.ts';

const noteParts = {
  attachments: attachmentsOfNote,
  poll: pollOfNote,
  quote: quoteOfNote,
  collections: collectionsOfNote,
  /** Local statuses have none, and that of remote ones follows from whom they are addressed to (audience.ts). */
  audience: unwrittenPart,
  card: unwrittenPart,
  replyPolicy: replyPolicyOfNote,
  /** Such a status is written for no other server, and for its author's archive like any other. */
  localOnly: unwrittenPart,
  heldReply: consentOfNote,
} satisfies Readonly<Record<PartName, NotePart<object>>>;

const parts: readonly NotePart<object>[] = Object.values(noteParts);

/** The fields of all parts. */
export type PartsOfNote = Intersection<ReturnType<(typeof noteParts)[PartName]['read']>>;

export function readParts(object: JsonObject, reading: Reading): PartsOfNote {
  const read = {};
  for (const part of parts) Object.assign(read, part.read(object, reading));
  return read as PartsOfNote;
}

export function writeParts(status: Status, writing: Writing): { properties: JsonObject; tags: JsonObject[] } {
  const written = { properties: {}, tags: [] as JsonObject[] };
  for (const part of parts) {
    const { properties, tags = [] } = part.write(status, writing);
    Object.assign(written.properties, properties);
    written.tags.push(...tags);
  }
  return written;
}

const contexts = parts.flatMap(({ context }) => context ?? []);

/** The `@context` of a status with any combination of parts; by a bit for each part that has terms of its own. */
export function contextsOfNotes(context: (terms: JsonObject) => JsonValue): readonly JsonValue[] {
  return Array.from({ length: 1 << contexts.length }, (_none, bits) =>
    context(Object.assign({}, ...contexts.map(({ terms }, part) => ((bits >> part) & 1 ? terms : {})))),
  );
}

/** The index of a status' `@context` among `contextsOfNotes`. */
export function contextIndexOf(status: Partial<Status>): number {
  return contexts.reduce((bits, { isIn }, part) => bits | (Number(isIn(status)) << part), 0);
}
