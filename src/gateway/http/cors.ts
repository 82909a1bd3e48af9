/**
 * Cross-origin access (WHATWG Fetch, CORS protocol): browser apps may call the API and the discovery documents from any
 * origin. The star is safe because nothing here is authorized by cookies.
 */
import { Answer } from './answers.ts';
import { httpLimits } from './limits.ts';

const openPrefixes = ['/api/', '/.well-known/', '/nodeinfo/'];
const openPaths: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', '/oauth/userinfo', '/nodeinfo']);

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
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return openPaths.has(path.slice(0, end)) || openPrefixes.some((prefix) => path.startsWith(prefix));
}

/** The header lines that allow other origins; empty where the path does not. */
export function openOriginLines(path: string): string {
  if (!isOpenToOtherOrigins(path)) return '';
  return `\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${exposedHeaders}`;
}
