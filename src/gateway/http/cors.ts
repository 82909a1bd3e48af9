/**
 * Cross-origin access (WHATWG Fetch, CORS protocol): browser apps may call the API and read the discovery documents and
 * the actors of accounts from any origin (behaviour of Mastodon). The star is safe: nothing here is authorized by
 * cookies but the page of a profile, and browsers withhold an answer with a star from a request with cookies.
 */
import { Answer } from './answers.ts';
import { httpLimits } from './limits.ts';

const openPrefixes = ['/api/', '/.well-known/', '/nodeinfo/'];
const openPaths: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/nodeinfo']);

/** `/users/alice` and `/@alice`; also the patterns of their routes. */
const profilePattern = /^\/(?:users\/|@)[^/]+$/;

const exposedHeaders =
  'Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh';

/** The origin header itself is added as on every answer. */
export const preflightAnswer = new Answer(
  204,
  undefined,
  '',
  {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Upgrade, Connection, Sec-WebSocket-Extensions, ' +
      'Sec-WebSocket-Key, Sec-WebSocket-Protocol, Sec-WebSocket-Version',
    'Access-Control-Max-Age': String(httpLimits.preflightAgeSeconds),
  },
  undefined,
);

/** Whether pages of other origins may read the answers of this path. */
export function isOpenToOtherOrigins(path: string): boolean {
  return isForPrograms(path) || profilePattern.test(withoutSlash(path));
}

/** Whether nobody looks at this path in a browser: what is not found there has no page. */
export function isForPrograms(path: string): boolean {
  return openPaths.has(withoutSlash(path)) || openPrefixes.some((prefix) => path.startsWith(prefix));
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The header lines that allow other origins; empty where the path does not. */
export function openOriginLines(path: string): string {
  if (!isOpenToOtherOrigins(path)) return '';
  return `\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${exposedHeaders}`;
}
