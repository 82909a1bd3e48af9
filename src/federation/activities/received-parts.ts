/**
 * The parts of a remote status, from its note to the message for its author's account. What a part refers to may have
 * to be fetched first: then it is known without a fetch, or `incomplete`.
 */
import type { PartName, Status, statusParts } from '../../actors/account/statuses/statuses.records.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { replyApprovalOf } from './approval.ts';
import type { Inbound, RemoteSource } from './inbound.ts';
import { attachmentsIn } from './received-attachments.ts';
import { receivedConsent } from './received-consent.ts';
import type { ReceivedFields, ReceivedPart } from './received-part.ts';
import { receivedQuote } from './received-quote.ts';
import { taggedCollections } from './tagged-collections.ts';

/** The parts of which a message about a remote status has fields. */
type ReceivedName = {
  [Name in PartName]: keyof (typeof statusParts)[Name]['received'] extends never ? never : Name;
}[PartName];

const receivedParts: Readonly<Record<ReceivedName, ReceivedPart>> = {
  attachments: { known: (_inbound, { attachments }) => attachmentsIn(attachments) },
  poll: { known: (_inbound, { poll }) => ({ poll: poll?.poll, tally: poll?.tally }) },
  quote: receivedQuote,
  collections: taggedCollections,
  /** It depends on the inbox to which the status came: addressees.ts. */
  audience: {},
  /** Its link is found in the sanitised text: received-status.ts. */
  card: {},
  replyPolicy: { known: (_inbound, note, author) => ({ replyApproval: replyApprovalOf(note, author) }) },
  heldReply: receivedConsent,
};

const parts: readonly ReceivedPart[] = Object.values(receivedParts);

/** Whether any refers to something of a local account. */
export function partsConcernLocal(inbound: Inbound, note: RemoteNote): boolean {
  return parts.some((part) => part.concernsLocal?.(inbound, note) === true);
}

/** Without a fetch; `incomplete` where one is needed first. */
export function knownParts(inbound: Inbound, note: RemoteNote, author: KnownAccount): ReceivedFields | 'incomplete' {
  const fields = {};
  for (const part of parts) {
    const known = part.known?.(inbound, note, author);
    if (known === 'incomplete') return 'incomplete';
    Object.assign(fields, known);
  }
  return fields;
}

/** The same with fetches, one after the other. What cannot be fetched is left out. */
export async function fetchedParts(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource,
): Promise<ReceivedFields> {
  const fields = {};
  for (const part of parts) {
    const known = part.known?.(inbound, note, author);
    Object.assign(fields, known === 'incomplete' ? await part.fetched?.(inbound, note, author, source) : known);
  }
  return fields;
}

/** Without a fetch and without waiting: what is not known is left out. */
export function partsSoFar(inbound: Inbound, note: RemoteNote, author: KnownAccount): ReceivedFields {
  const fields = {};
  for (const part of parts) {
    const known = part.known?.(inbound, note, author);
    Object.assign(fields, known === 'incomplete' ? part.soFar?.(inbound, note, author) : known);
  }
  return fields;
}

/** What an edit says besides, about the stored version. */
export function partsOfEdit(inbound: Inbound, note: RemoteNote, stored: Status): ReceivedFields {
  const fields: ReceivedFields = {};
  for (const part of parts) Object.assign(fields, part.ofEdit?.(inbound, note, stored));
  return fields;
}
