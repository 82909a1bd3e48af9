/**
 * The `Link` header (RFC 8288) of pages. Clients iterate until `next` is missing, expect absolute URLs, split the
 * header at every comma, and use only path and query, so the caller's other parameters are repeated: those known to the
 * endpoint, each value once. A query that is too long to repeat gets pages without links: a link without part of it
 * would lead to other rows.
 */
import type { AnswerHeaders } from './answers.ts';
import { KnownQueries } from './known-queries.ts';
import { httpLimits } from './limits.ts';

/** The address of a request's page, as its client reaches it. */
export interface PageAddress {
  readonly origin: string;
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Names of the parameters that the endpoint reads. */
  readonly parameterNames: ReadonlySet<string>;
}

export interface Page {
  /** The rows that are shown. */
  readonly items: { readonly length: number };
  /** Cursors of the newest and the oldest row that was read, shown or not; undefined where none was. */
  readonly newest: bigint | undefined;
  readonly oldest: bigint | undefined;
  /** Whether older rows may follow: the page is full, or more rows are known. */
  readonly full: boolean;
}

const noHeaders: AnswerHeaders = {};
const needsEscape = /[^\x21-\x7e]|[,<>"\\^`{|}]/u;
const eachToEscape = new RegExp(needsEscape, 'gu');
/** The token is secret and belongs in no link; the others are set anew. */
const replacedParameters: ReadonlySet<string> = new Set([
  'max_id',
  'since_id',
  'min_id',
  'limit',
  'offset',
  'access_token',
]);

/**
 * The links of a page by cursors; `limit` is the size in effect. `newerBy` is the parameter for newer rows: `min_id`
 * for timelines and notifications, `since_id` for lists of accounts (behaviour of the Mastodon API). An empty page has
 * no links, unless reading stopped before the end: libraries such as Mastodon.py fail on them.
 */
export function pageHeaders(
  address: PageAddress,
  { items, full, newest, oldest }: Page,
  limit: number,
  newerBy: 'min_id' | 'since_id',
): AnswerHeaders {
  if (items.length === 0 && !full) return noHeaders;
  const next = full && oldest !== undefined ? `max_id=${oldest}` : undefined;
  return links(address, limit, next, newest === undefined ? undefined : `${newerBy}=${newest}`);
}

/** The same for a page by offset (Mastodon API: lists of collections). */
export function offsetHeaders(
  address: PageAddress,
  { offset, limit, hasMore }: { readonly offset: number; readonly limit: number; readonly hasMore: boolean },
): AnswerHeaders {
  const previous = offset > 0 ? `offset=${Math.max(0, offset - limit)}` : undefined;
  return links(address, limit, hasMore ? `offset=${offset + limit}` : undefined, previous);
}

function links(
  address: PageAddress,
  limit: number,
  next: string | undefined,
  previous: string | undefined,
): AnswerHeaders {
  if (next === undefined && previous === undefined) return noHeaders;
  const kept = keptQuery(address);
  if (kept.length > httpLimits.linkQueryCharactersMax) return noHeaders;
  const start = `<${address.origin}${escapeForLink(address.path)}?${kept}limit=${limit}&`;
  const nextLink = next === undefined ? '' : `${start}${next}>; rel="next"`;
  if (previous === undefined) return { Link: nextLink };
  const previousLink = `${start}${previous}>; rel="prev"`;
  return { Link: next === undefined ? previousLink : `${nextLink}, ${previousLink}` };
}

const keptQueries = new WeakMap<ReadonlySet<string>, KnownQueries<string>>();

/** The parameters that links repeat, escaped, each followed by an ampersand. */
function keptQuery({ query, parameterNames }: PageAddress): string {
  if (query === '') return '';
  const queries = keptQueries.get(parameterNames) ?? new KnownQueries<string>();
  keptQueries.set(parameterNames, queries);
  const known = queries.get(query);
  if (known !== undefined) return known;
  const isKept = (pair: string) => {
    const [name = ''] = pair.split(/=|\[|%5B/i, 1);
    return parameterNames.has(name) && !replacedParameters.has(name);
  };
  // For a repeated value the last one counts.
  const kept = new Set(query.split('&').filter(isKept).reverse());
  const text = [...kept]
    .reverse()
    .map((pair) => `${escapeForLink(pair)}&`)
    .join('');
  queries.add(query, text);
  return text;
}

/** Encodes what would end the URL or split the header; percent-encoded parts stay unchanged. */
function escapeForLink(part: string): string {
  return needsEscape.test(part) ? part.replace(eachToEscape, encodeURIComponent) : part;
}
