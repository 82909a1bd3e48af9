/** Shared by publishing and editing: the text of a status, validated, and rendered with its mentions. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import type { Attachment } from '../../actors/account/media/media.records.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { extractTokens } from '../../actors/text/extract.ts';
import { quotedPageLine } from '../../actors/text/quoted-page.ts';
import { type RenderedText, renderStatusText } from '../../actors/text/render.ts';
import type { TextToken } from '../../actors/text/tokens.ts';
import { collectionIdAt } from '../../federation/known-collections.ts';
import type { Id } from '../../runtime/ids.ts';
import { firstPage } from '../../services/linked-page.ts';
import type { Services } from '../../services/services.ts';
import { namedEmojis } from '../instance/named-emojis.ts';
import { isLanguage } from '../languages.ts';
import { blank, overCharacterLimit, refuseFields } from '../refused-fields.ts';
import { exceedsStatusCharacters } from '../text-lengths.ts';
import { Reviews } from '../trends/reviews.ts';
import { distinctMentions, type FoundMention, renderedMentions } from './mentions.ts';
import { checkedPoll, type WrittenPoll } from './written-poll.ts';

export const statusCharactersMax = 500;

/** To be spread into an object schema. */
export const writtenInput = {
  text: z.string(),
  spoilerText: z.string(),
  sensitive: z.boolean().optional(),
  /** An invalid code counts as none. */
  language: z.string().optional(),
  poll: z
    .object({
      options: z.array(z.string()),
      multiple: z.boolean(),
      hideTotals: z.boolean(),
      expiresInSeconds: z.number().optional(),
    })
    .optional(),
  /** Uploaded media, in the order in which they are shown. */
  mediaIds: z.array(identifier).optional(),
};

interface Written {
  readonly text: string;
  readonly spoilerText: string;
  readonly poll?: WrittenPoll | undefined;
}

export interface WrittenStatus extends Written {
  readonly poll: PublishStatus['poll'];
  readonly attachments: readonly Attachment[];
  /** Of the poll that an edit keeps: its emojis are kept as well. */
  readonly keptOptions?: readonly string[] | undefined;
  /** The author wrote a content warning, which is the text where there is no other. */
  readonly hasWarning: boolean;
  /** The tokens of the text: mentions are looked up before rendering. */
  readonly tokens: readonly TextToken[];
}

/** The page of the quoted status: as stored, and as shown. */
export interface QuotedPage {
  readonly kept: string;
  readonly shown: string;
}

type LinkedCollections = Pick<Services, 'addresses' | 'options' | 'snapshots'>;

type Content = Pick<
  PublishStatus,
  | 'text'
  | 'content'
  | 'spoilerText'
  | 'mentions'
  | 'tags'
  | 'emojis'
  | 'attachments'
  | 'poll'
  | 'taggedCollections'
  | 'link'
>;

/**
 * Throws FieldsRefused for a text that is too long, and for a blank one unless the status quotes another or has media.
 */
export function writtenStatus(given: Written, isQuote: boolean, attachments: readonly Attachment[]): WrittenStatus {
  const written = textsOf(given, isQuote);
  const poll = given.poll === undefined ? undefined : checkedPoll(given.poll);
  if (written.text === '' && !isQuote && attachments.length === 0) refuseFields({ text: [blank] });
  if (exceedsStatusCharacters(written.text, written.spoilerText, statusCharactersMax)) {
    refuseFields({ text: [overCharacterLimit(statusCharactersMax)] });
  }
  return { ...written, poll, attachments, tokens: extractTokens(written.text) };
}

/** A content warning alone is the text, except above a quoted status (behaviour of the Mastodon API). */
function textsOf(given: Written, isQuote: boolean): Pick<WrittenStatus, 'text' | 'spoilerText' | 'hasWarning'> {
  const text = cleanText(given.text);
  const spoilerText = cleanText(given.spoilerText);
  const hasWarning = spoilerText !== '';
  return text === '' && !isQuote
    ? { text: spoilerText, spoilerText: '', hasWarning }
    : { text, spoilerText, hasWarning };
}

/** The content, with the mentioned ones of the accounts found, and the collections that it links to, each once. */
export function contentOf(
  services: LinkedCollections,
  { text, spoilerText, tokens, poll, keptOptions, attachments }: WrittenStatus,
  found: ReadonlyMap<string, FoundMention>,
  quotedPage?: QuotedPage,
): Content {
  const context = { mentions: renderedMentions(found) };
  const rendered = renderStatusText(text, context, tokens);
  refuseUnusableTags(services, rendered.tags);
  return {
    text,
    content: quotedPage === undefined ? rendered.html : withQuotedPage(rendered, quotedPage),
    spoilerText,
    mentions: distinctMentions(rendered.handles.map((handle) => found.get(handle)!)),
    tags: rendered.tags,
    emojis: namedEmojis(services, [text, spoilerText, ...(poll?.options ?? keptOptions ?? [])]),
    attachments: [...attachments],
    ...(poll === undefined ? {} : { poll }),
    ...taggedIn(services, rendered.links),
    ...linkOf(services, rendered.links),
  };
}

/** Hashtags that staff do not let anybody here post (behaviour of the Mastodon API). */
function refuseUnusableTags(services: LinkedCollections, tags: Content['tags']): void {
  if (tags.length === 0) return;
  const reviews = new Reviews(services);
  const refused = tags.filter(({ name }) => !reviews.tag(name).isUsable).map(({ display }) => display);
  if (refused.length === 0) return;
  const [what, names] = [refused.length === 1 ? 'a disallowed hashtag' : 'the disallowed hashtags', refused.join(', ')];
  refuseFields({ text: [{ kind: 'invalid', words: `contained ${what}: ${names}`, reason: 'disallowedHashtag' }] });
}

/**
 * Only known collections count (behaviour of the Mastodon API): nothing is fetched while somebody waits for the answer.
 */
function taggedIn(services: LinkedCollections, links: readonly string[]): Pick<Content, 'taggedCollections'> {
  const found = new Set<Id>();
  for (const link of links) {
    const collectionId = collectionIdAt(services, link);
    if (collectionId !== undefined) found.add(collectionId);
  }
  return found.size === 0 ? {} : { taggedCollections: [...found] };
}

function linkOf(services: LinkedCollections, links: readonly string[]): Pick<Content, 'link'> {
  const link = links.length === 0 ? undefined : firstPage(services, links);
  return link === undefined ? {} : { link };
}

/** A text that contains the link already gets no second one. */
function withQuotedPage({ html, links }: RenderedText, { kept, shown }: QuotedPage): string {
  return links.includes(shown) ? html : quotedPageLine(kept) + html;
}

/** A status with a content warning is sensitive, whatever the author chose (behaviour of the Mastodon API). */
export function isSensitive({ hasWarning }: WrittenStatus, said: boolean): boolean {
  return said || hasWarning;
}

/** Of a code that is not known, the language alone (`zh` of `zh-Hant-TW`); what has none counts as not given. */
export function languageOf(given: string | undefined): string | undefined {
  return [given, given?.split(/[-_]/, 1)[0]].find((code) => code !== undefined && isLanguage(code));
}
