/** From a page to its card: JSON-LD before OpenGraph before plain HTML (behaviour of the Mastodon API). Pure. */
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { toPlainLine } from '../../actors/text/plain.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { decodePage } from './charset.ts';
import { cardLimits } from './limits.ts';
import { readPageFacts } from './page-facts.ts';
import { frameOf } from './player.ts';
import { readStructured } from './structured.ts';

/** A page as it was received. */
export interface ReceivedPage {
  readonly body: Uint8Array;
  readonly isCut: boolean;
  readonly contentType: string;
  /** Its address after redirects. */
  readonly url: string;
  /** The header X-Robots-Tag; empty for none. */
  readonly robots: string;
}

export interface ReadPage {
  readonly card: Card;
  /** The address of its picture. */
  readonly imageUrl?: string | undefined;
  /** Where the site describes the page for embedding. */
  readonly oembedUrl?: string | undefined;
  /** The handle of its author in the fediverse: `user@host`. */
  readonly creator?: string | undefined;
}

/** A title may be missing: then only oEmbed makes a card of it. */
export function readPage(page: ReceivedPage): ReadPage {
  const facts = readPageFacts(decodePage(page.body, page.contentType, page.isCut));
  const { meta } = facts;
  const structured = readStructured(facts.structured);
  const robots = robotsOf(`${page.robots},${meta.get('robots') ?? ''}`);
  const address = (value: string | undefined) => webAddress(value, page.url);
  const player = playerOf(meta, address);
  const isQuotable = !robots.has('nosnippet');
  const card: Card = withoutUndefined({
    url: canonicalOf(page.url, [facts.canonical, meta.get('og:url')]),
    title: line(structured.headline ?? meta.get('og:title') ?? facts.title, cardLimits.titleCharactersMax) ?? '',
    description: isQuotable
      ? (line(
          structured.description ?? meta.get('og:description') ?? meta.get('description'),
          cardLimits.descriptionCharactersMax,
        ) ?? '')
      : '',
    ...player,
    providerName: name(structured.publisher ?? meta.get('og:site_name')),
    authorName: name(structured.author ?? meta.get('og:author')),
    authorUrl: address(structured.authorUrl),
    imageDescription: line(meta.get('og:image:alt'), cardLimits.imageDescriptionCharactersMax),
    embedUrl: address(meta.get('twitter:player:stream')),
    publishedAt: timeOf(structured.publishedAt ?? meta.get('article:published_time')),
    language: languageOf([structured.language, meta.get('og:locale'), facts.language]),
    isUnlisted: robots.has('noindex') ? true : undefined,
    isArticle: structured.isArticle === true || meta.get('og:type')?.trim() === 'article' ? true : undefined,
  });
  return {
    card,
    imageUrl: isQuotable && !robots.has('noimageindex') ? address(meta.get('og:image')) : undefined,
    oembedUrl: oembedOf(address(facts.oembed), page.url),
    creator: meta.get('fediverse:creator')?.trim().replace(/^@/, ''),
  };
}

/** `none` and `noindex` of robots meta; those for one robot only are not for us. */
function robotsOf(text: string): ReadonlySet<string> {
  const said = new Set(text.toLowerCase().split(/[\s,]+/));
  if (said.has('none')) said.add('noindex');
  return said;
}

/** A page may name another address of the same host. */
function canonicalOf(pageUrl: string, named: readonly (string | undefined)[]): string {
  for (const one of named) {
    const found = webAddress(one, pageUrl);
    if (found !== undefined && new URL(found).host === new URL(pageUrl).host) return found;
  }
  return pageUrl;
}

function playerOf(
  meta: ReadonlyMap<string, string>,
  address: (value: string | undefined) => string | undefined,
): Partial<Card> {
  const src = address(meta.get('twitter:player'));
  if (src === undefined) return {};
  const width = sizeOf(meta.get('twitter:player:width')) ?? 0;
  const height = sizeOf(meta.get('twitter:player:height')) ?? 0;
  return { type: 'video', html: frameOf(src, width, height), width, height };
}

/** A page that came over TLS is not described in the clear. */
function oembedOf(found: string | undefined, pageUrl: string): string | undefined {
  return pageUrl.startsWith('https:') ? found?.replace(/^http:/, 'https:') : found;
}

/** Absolute, http or https, without credentials and fragment. */
export function webAddress(value: string | undefined, base: string): string | undefined {
  const url = value === undefined ? null : URL.parse(value.trim(), base);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href.length > cardLimits.addressCharactersMax ? undefined : url.href;
}

/** On one line and cut at a character; undefined where nothing is left. */
export function line(value: string | undefined, charactersMax: number): string | undefined {
  if (value === undefined) return undefined;
  const text = cleanText(value.slice(0, 4 * charactersMax).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...text];
  const cut = characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : text;
  return cut === '' ? undefined : cut;
}

export function name(value: string | undefined): string | undefined {
  return line(value, cardLimits.nameCharactersMax);
}

/** Of a text that may be HTML, as oEmbed gives it. */
export function plainName(value: string | undefined): string | undefined {
  return name(value === undefined ? undefined : toPlainLine(value));
}

export function sizeOf(value: unknown): number | undefined {
  const number = Number.parseInt(String(value), 10);
  return number > 0 && number <= cardLimits.sizeMax ? number : undefined;
}

const earliest = Date.UTC(1970);

function timeOf(value: string | undefined): number | undefined {
  const time = value === undefined ? Number.NaN : Date.parse(value.slice(0, 40));
  return time >= earliest && time < Date.UTC(10_000) ? time : undefined;
}

const languageCode = /^([a-z]{2,3})(?:[-_]|$)/i;

function languageOf(said: readonly (string | undefined)[]): string | undefined {
  for (const one of said) {
    const code = languageCode.exec(one?.trim() ?? '')?.[1]?.toLowerCase();
    if (code !== undefined) return code;
  }
  return undefined;
}
