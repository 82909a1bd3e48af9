/**
 * The `Link` header (RFC 8288) of pages. Clients iterate until `next` is missing, want absolute URLs, split the header
 * at every comma, and follow only path and query, so the caller's other parameters are repeated.
 */
import type { AnswerHeaders } from './answers.ts';

/** Of a request: where its client reaches this path. */
export interface PageAddress {
  readonly origin: string;
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
}

export type PageCursor = bigint | string;

/** A page as it was read, before anything was filtered out of it. */
export interface Page {
  /** The size in effect. */
  readonly limit: number;
  /** Cursors of the newest and the oldest row; undefined for an empty page. */
  readonly newest: PageCursor | undefined;
  readonly oldest: PageCursor | undefined;
  /** Whether older rows may follow: the page is full, or more rows are known. */
  readonly full: boolean;
}

const noHeaders: AnswerHeaders = {};
const needsEscape = /[^\x21-\x7e]|[,<>"\\^`{|}]/u;
const eachToEscape = new RegExp(needsEscape, 'gu');
/** The token is a secret and belongs in no link; the others are given anew. */
const replacedParameters: ReadonlySet<string> = new Set([
  'max_id',
  'since_id',
  'min_id',
  'limit',
  'offset',
  'access_token',
]);

/**
 * The links of a page by cursors. `newerBy` is the parameter that leads to newer rows: `min_id` for timelines and
 * notifications, `since_id` for lists of accounts (behaviour of the Mastodon API). An empty page has no links.
 */
export function pageHeaders(address: PageAddress, page: Page, newerBy: 'min_id' | 'since_id'): AnswerHeaders {
  const { full, newest, oldest, limit } = page;
  const next = full && oldest !== undefined ? `max_id=${oldest}` : undefined;
  return links(address, limit, next, newest === undefined ? undefined : `${newerBy}=${newest}`);
}

function links(
  address: PageAddress,
  limit: number,
  next: string | undefined,
  previous: string | undefined,
): AnswerHeaders {
  if (next === undefined && previous === undefined) return noHeaders;
  const kept = keptQuery(address.query);
  const query = `${kept === '' ? '' : `${kept}&`}limit=${limit}&`;
  const start = `<${address.origin}${escapeForLink(address.path)}?${escapeForLink(query)}`;
  const nextLink = next === undefined ? '' : `${start}${escapeForLink(next)}>; rel="next"`;
  if (previous === undefined) return { Link: nextLink };
  const previousLink = `${start}${escapeForLink(previous)}>; rel="prev"`;
  return { Link: next === undefined ? previousLink : `${nextLink}, ${previousLink}` };
}

function keptQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&');
  return pairs.filter((pair) => pair !== '' && !replacedParameters.has(pair.split('=', 1)[0]!)).join('&');
}

/** Encodes what would end the URL or split the header; what is percent-encoded already stays as it is. */
function escapeForLink(part: string): string {
  return needsEscape.test(part) ? part.replace(eachToEscape, encodeURIComponent) : part;
}
