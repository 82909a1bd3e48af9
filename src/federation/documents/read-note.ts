/** Reads a remote status in its many forms: bounded, leaving out what does not fit. The HTML is not sanitised yet. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { toPlainText } from '../../actors/text/plain.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityLimits } from '../limits.ts';
import type { Audience } from './audience.ts';
import { type PartsOfNote, readParts } from './note-parts.ts';
import { linkedPageOf, occasionOf } from './read-event.ts';
import { type MentionTag, readTags } from './read-tags.ts';
import { addressOf, cutTextOf, isSameHost, isTrue, namesOf, referenceOf, timeOf, typeOf, valuesOf } from './values.ts';
import { convertedTypes, isStatusType } from './vocabulary.ts';

export interface RemoteNote extends Audience, PartsOfNote {
  readonly uri: string;
  /** Its web page; absent where it is not on the host of the URI. */
  readonly url: string | undefined;
  /** The actors it is attributed to, the author first; all on the host of the URI. */
  readonly authors: readonly string[];
  readonly publishedAt: number | undefined;
  readonly editedAt: number | undefined;
  readonly content: string;
  /** For an article, a video or the like, which is shown as title, text and a link to it. */
  readonly title: string | undefined;
  /** Of an event: when and where. */
  readonly occasion: string | undefined;
  /** Of a link post: the page that it is about. */
  readonly linkedPage: string | undefined;
  /** Plain text; empty for none. */
  readonly spoilerText: string;
  readonly sensitive: boolean;
  readonly language: string | undefined;
  readonly inReplyTo: string | undefined;
  readonly mentions: readonly MentionTag[];
  /** As written, without the sign. */
  readonly hashtags: readonly string[];
  readonly emojis: readonly CustomEmoji[];
  /** Of its likes and shares, as far as its document says; whether that is true nobody can tell. */
  readonly totals: { readonly favourites?: number; readonly reblogs?: number } | undefined;
  /** A vote in a poll and nothing else, which is not a status. */
  readonly isVote: boolean;
  /** Its server says that it is a private mention (LitePub `directMessage`). */
  readonly isDirectMessage: boolean;
}

const authorsMax = 8;
const languagePattern = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/;
const markdownTypes = /^text\/(?:markdown|plain)$/i;

/**
 * Reads a status. `addressed` is the audience of the surrounding activity, for objects without one. Undefined for
 * anything but a status with an id and an author on the same host.
 */
export function readNote(object: JsonObject, addressed?: Audience): RemoteNote | undefined {
  const type = typeOf(object);
  const uri = addressOf(object.id);
  if (!isStatusType(type) || uri === undefined) return undefined;
  const authors = authorsOf(object, uri);
  if (authors.length === 0) return undefined;
  const isConverted = convertedTypes.has(type!);
  const url = urlOf(object, uri);
  const content = contentOf(object, isConverted);
  const published = timeOf(object.published);
  const updated = timeOf(object.updated);
  const tags = readTags(object.tag);
  const summary = isConverted ? '' : summaryOf(object);
  return {
    uri,
    url,
    authors,
    publishedAt: published,
    editedAt: updated === published ? undefined : updated,
    ...audienceOf(object, addressed),
    content,
    title: isConverted ? cleanText(cutTextOf(object.name, activityLimits.titleCharactersMax)) : undefined,
    occasion: isConverted ? occasionOf(object) : undefined,
    linkedPage: isConverted ? linkedPageOf(object) : undefined,
    spoilerText: summary,
    sensitive: isTrue(object.sensitive),
    language: languageOf(object, content),
    inReplyTo: referenceOf(object.inReplyTo),
    mentions: tags.mentions,
    hashtags: tags.hashtags,
    emojis: tags.emojis,
    ...readParts(object, { type: type!, isConverted, tags }),
    totals: totalsOf(object),
    isVote: isVote(object, type!),
    isDirectMessage: isTrue(object.directMessage),
  };
}

/** Authors on another host are unverified claims: left out. */
function authorsOf(object: JsonObject, uri: string): string[] {
  const authors: string[] = [];
  for (const value of valuesOf(object.attributedTo, authorsMax)) {
    const author = referenceOf(value);
    if (author !== undefined && isSameHost(author, uri)) authors.push(author);
  }
  return authors;
}

/** Either half may be given by the activity alone. */
function audienceOf(object: JsonObject, addressed: Audience | undefined): Audience {
  const own = readAudience(object);
  if (addressed === undefined) return own;
  return { to: isGiven(object.to) ? own.to : addressed.to, cc: isGiven(object.cc) ? own.cc : addressed.cc };
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

export function readAudience(object: JsonObject): Audience {
  return {
    to: namesOf(object.to, activityLimits.addresseesMax),
    cc: namesOf(object.cc, activityLimits.addresseesMax),
  };
}

/** The web page of an object: a string, or the HTML one of several links; only on its own host. */
export function urlOf(object: JsonObject, uri: string): string | undefined {
  let found: string | undefined;
  for (const value of valuesOf(object.url, activityLimits.objectsMax)) {
    const address = isJsonObject(value) ? addressOf(value.href) : addressOf(value);
    if (address === undefined || !isSameHost(address, uri)) continue;
    if (!isJsonObject(value) || value.mediaType === 'text/html') return address;
    found ??= address;
  }
  return found;
}

function contentOf(object: JsonObject, isConverted: boolean): string {
  const { content } = object;
  const text = typeof content === 'string' ? content : (firstOfMap(object.contentMap) ?? '');
  const kept = text === '' && isConverted ? object.summary : text;
  const cut = cutTextOf(kept, activityLimits.contentCharactersMax);
  return isConverted && isPlain(object) ? paragraphsOf(cut) : cut;
}

/** PeerTube sends Markdown: shown as plain text, syntax included. */
function isPlain(object: JsonObject): boolean {
  return typeof object.mediaType === 'string' && markdownTypes.test(object.mediaType);
}

function paragraphsOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped
    .trim()
    .replace(/\r\n?/g, '\n')
    .replace(/\n{2,}/g, '</p><p>')
    .replaceAll('\n', '<br>')}</p>`;
}

function summaryOf(object: JsonObject): string {
  const summary = typeof object.summary === 'string' ? object.summary : firstOfMap(object.summaryMap);
  return plainText(cutTextOf(summary, activityLimits.summaryCharactersMax));
}

/** Unlike a name, a summary may contain markup and entities (ActivityStreams vocabulary, section 4). */
function plainText(text: string): string {
  return cleanText(/[<&]/.test(text) ? toPlainText(text) : text);
}

function firstOfMap(map: JsonObject[string]): string | undefined {
  if (!isJsonObject(map)) return undefined;
  for (const language in map) {
    const value = map[language];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** The language whose `contentMap` entry is this content, else the first one. */
function languageOf(object: JsonObject, content: string): string | undefined {
  const map = object.contentMap;
  if (!isJsonObject(map)) return undefined;
  let first: string | undefined;
  for (const language in map) {
    if (language.length > activityLimits.languageCharactersMax || !languagePattern.test(language)) continue;
    if (map[language] === content) return language;
    first ??= language;
  }
  return first;
}

function totalsOf({ likes, shares }: JsonObject): RemoteNote['totals'] {
  const [favourites, reblogs] = [totalOf(likes), totalOf(shares)];
  if (favourites === undefined && reblogs === undefined) return undefined;
  return { ...(favourites !== undefined && { favourites }), ...(reblogs !== undefined && { reblogs }) };
}

/** Of a collection inside the document; nobody is asked for another. */
function totalOf(collection: JsonValue | undefined): number | undefined {
  const total = isJsonObject(collection) ? collection.totalItems : undefined;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) return undefined;
  return Math.min(total, activityLimits.toldTotalMax);
}

function isVote(object: JsonObject, type: string): boolean {
  const isNamed = type === 'Note' && typeof object.name === 'string';
  return isNamed && !isGiven(object.content) && referenceOf(object.inReplyTo) !== undefined;
}
