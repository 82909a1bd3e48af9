/**
 * Statuses as the JSON text of their entities: encoded once per version and cached, for all viewers. Encoding
 * twenty statuses anew costs more than everything else of a timeline (measured). What depends on the viewer comes at the
 * end of the entity, in the order of the table of viewer state.
 */
import type { QuotePermission } from '../../actors/policy/quotes.ts';
import type { AttributedCard, EncodableView, Encoder } from '../../operations/presentation/cached-status.ts';
import type { ShownCollection } from '../../operations/presentation/collections.ts';
import { type Quotability, quotabilityOf } from '../../operations/presentation/quotes.ts';
import { hasPersonalPart } from '../../operations/presentation/viewer-parts.ts';
import {
  defaultState,
  fieldsShownTo,
  type StateReader,
  type ViewerState,
} from '../../operations/presentation/viewer-state.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Addresses } from '../../services/addresses.ts';
import { collectionEntity } from './collection.ts';
import type { EncodableStatus, EncodedState, EncodedStatus, EntityForms } from './encodable-status.ts';
import { accountOf, appendAuthor, type EncodableAccount, EncodedAccount } from './encoded-account.ts';
import { filterResultEntity } from './filter.ts';
import type { PageBuffer } from './page-buffer.ts';
import { previewCardEntity } from './preview-card.ts';
import { statusFields } from './status.ts';
import { appendBegunEnd, appendPersonalFields, begunText } from './status-parts.ts';

const noReblog = Buffer.from(',"reblog":null,');

function encodeState(state: ViewerState): EncodedState {
  const textFor = (reader: StateReader) => {
    const shown = { ...state, filtered: state.filtered.map(filterResultEntity) };
    const fields = fieldsShownTo(reader).map((name) => `${JSON.stringify(name)}:${JSON.stringify(shown[name])}`);
    return keptText(`${fields.join(',')}}`);
  };
  return { ...forReaders(textFor), poll: forReaders((reader) => keptText(endOfPoll(state, reader))) };
}

function forReaders(textFor: (reader: StateReader) => Buffer): Readonly<Record<StateReader, Buffer>> {
  return {
    anonymous: textFor('anonymous'),
    viewer: textFor('viewer'),
    author: textFor('author'),
    'author of direct': textFor('author of direct'),
  };
}

/** Nobody votes in a poll of their own: its author is shown the same as voters. */
function endOfPoll({ choices }: ViewerState, reader: StateReader): string {
  if (reader === 'anonymous') return '}';
  return `,"voted":${reader !== 'viewer' || choices.length > 0},"own_votes":${JSON.stringify(choices)}}`;
}

/** The most frequent state: the text of a status ends with it, so that nothing has to be appended. */
const usualState = encodeState(defaultState);
const usualEnd = usualState.viewer;

function encodeStatus(view: EncodableView, addresses: Addresses): EncodedStatus {
  const { status } = view;
  const json = JSON.stringify(statusFields(view, addresses));
  if (status.reblogOfId !== undefined) return continued(json, ',"reblog"');
  return continued(json, hasPersonalPart(status) ? begunText(view, addresses) : endFor(quotabilityOf(status)));
}

/** The fields of an object, each with a comma before it, and the end of the text in place of the object's. */
function continued(json: string, end: string): EncodedStatus {
  const length = Buffer.byteLength(json) - 1;
  const text = Buffer.allocUnsafeSlow(length + Buffer.byteLength(end));
  text.write(json);
  text.write(end, length);
  text[0] = comma;
  return text;
}

/** Common policies are shared by all statuses that have them. */
const knownEnds = new WeakMap<Quotability, string>();

function endFor(quotability: Quotability): string {
  let end = knownEnds.get(quotability);
  if (end === undefined) {
    const permission = permissionEnds[quotability.stranger];
    end = `${noReblog}${approvalStart(quotability)}${permission}${usualEnd}`;
    knownEnds.set(quotability, end);
  }
  return end;
}

/** The field of a status, followed by a comma. */
function encodeCollections(shown: readonly ShownCollection[], addresses: Addresses): Buffer {
  const entities = shown.map((collection) => collectionEntity(collection, addresses));
  return Buffer.from(`"tagged_collections":${JSON.stringify(entities)},`);
}

function encodeCard(
  { card, link, by }: AttributedCard,
  author: EncodableAccount | undefined,
  isMissing: boolean,
  addresses: Addresses,
): Buffer {
  const account = author && accountOf(author);
  return Buffer.from(`"card":${JSON.stringify(previewCardEntity(card, addresses, { link, account, isMissing, by }))},`);
}

/** The QuoteApproval entity up to the viewer's permission, and that permission; between two fields of the status. */
function approvalStart({ approval: { automatic, manual } }: Quotability): string {
  const lists = JSON.stringify({ automatic, manual }).slice(0, -1);
  return `"quote_approval":${lists},"current_user":`;
}

const permissionEnds: Readonly<Record<QuotePermission, Buffer>> = {
  automatic: Buffer.from('"automatic"},'),
  manual: Buffer.from('"manual"},'),
  denied: Buffer.from('"denied"},'),
  unknown: Buffer.from('"unknown"},'),
};

export type EntityEncoder = Encoder<EntityForms>;

/** `serverSendsPosts`: whether this server offers subscriptions by mail. */
export function entityEncoder(addresses: Addresses, serverSendsPosts: () => boolean): EntityEncoder {
  return {
    status: (view) => encodeStatus(view, addresses),
    account: (view) => new EncodedAccount(view, addresses, serverSendsPosts()),
    countAccount: (body, counters) => body.count(counters),
    collections: (shown) => encodeCollections(shown, addresses),
    card: (card, author, isMissing) => encodeCard(card, author, isMissing, addresses),
    viewerState: (state) => (state === undefined || state === defaultState ? usualState : encodeState(state)),
  };
}

/**
 * Of an author whose media are all sensitive, in place of what the status says itself. Inside a text the quotes are
 * escaped, and a space after a value changes nothing: what replaces is as long.
 */
const notSensitive = Buffer.from(',"sensitive":false,"spoiler_text":');
const sensitive = Buffer.from(',"sensitive":true ,"spoiler_text":');

function isAuthor(reader: StateReader): boolean {
  return reader === 'author' || reader === 'author of direct';
}

const colon = 0x3a;
const comma = 0x2c;
const commaText = Buffer.from(',');

/** Appends a comma and the entity. */
export function appendStatus(buffer: PageBuffer, shown: EncodableStatus): void {
  const { status, author, state, shownTo, quotePermission } = shown;
  appendAuthor(buffer, author);
  const from = buffer.length;
  buffer.append(status.body);
  if (author.isSensitized && !isAuthor(shownTo)) buffer.replaceFrom(from, notSensitive, sensitive);
  const stateText = state[shownTo];
  if (!status.isOpen) {
    const { stranger } = status.quotability;
    if (stateText === usualEnd && quotePermission === stranger) return;
    buffer.truncate(buffer.length - usualEnd.length - permissionEnds[stranger].length);
  } else appendOpenEnd(buffer, shown);
  buffer.append(permissionEnds[quotePermission]);
  buffer.append(stateText);
}

/** Everything from the point where the text of an open status ends to the viewer's quote permission. */
function appendOpenEnd(buffer: PageBuffer, shown: EncodableStatus): void {
  const { status, original } = shown;
  if (original === undefined) {
    appendBegunEnd(buffer, shown);
    buffer.append(noReblog);
    appendPersonalFields(buffer, shown, appendStatus);
  } else {
    const separator = buffer.length;
    appendStatus(buffer, original);
    buffer.overwrite(separator, colon);
    buffer.append(commaText);
  }
  const { quotability } = original?.status ?? status;
  buffer.append(Buffer.from(approvalStart(quotability)));
}
