/**
 * Handles of accounts, `user@host[:port]`, and their normal form: the host in lower case and punycode, without a
 * trailing dot and without port 443. The user name keeps its case; servers ignore it when comparing.
 */
import { discoveryLimits } from './limits.ts';

export interface Handle {
  readonly username: string;
  readonly host: string;
}

/** Names that other servers allow: Misskey's system accounts contain dots, others hyphens; letters of any script. */
const usernamePattern = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_])?$/u;

/** The actor of a server is named after its host, which may contain a port. */
export function isUsername(name: string, host: string | undefined): boolean {
  return usernamePattern.test(name) || name === host;
}

/** `user@host`, `@user@host` or `acct:user@host` in normal form; undefined for anything else, or without a host. */
export function parseHandle(text: string): Handle | undefined {
  if (text.length > discoveryLimits.handleCharactersMax) return undefined;
  const bare = text
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '');
  const at = bare.indexOf('@');
  if (at <= 0) return undefined;
  const username = bare.slice(0, at);
  const host = normaliseHost(bare.slice(at + 1));
  return host === undefined || !isUsername(username, host) ? undefined : { username, host };
}

export function formatHandle(handle: Handle): string {
  return `${handle.username}@${handle.host}`;
}

/** Whether two handles identify one account: hosts in normal form, names compared without case. */
export function isSameHandle(one: Handle, other: Handle): boolean {
  return one.host === other.host && one.username.toLowerCase() === other.username.toLowerCase();
}

/** A name of labels, or an IPv6 address. URLs allow more, such as `*`, which no server can be named. */
const hostPattern = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;

/** A `host[:port]` in normal form; undefined for anything else. */
export function normaliseHost(text: string): string | undefined {
  if (text.length > discoveryLimits.hostCharactersMax || /[/?#@\\%\s]/.test(text)) return undefined;
  const url = URL.parse(`https://${text}`);
  if (url === null || url.pathname !== '/') return undefined;
  const hostname = url.hostname.replace(/\.$/, '');
  if (!hostPattern.test(hostname)) return undefined;
  return url.port === '' ? hostname : `${hostname}:${url.port}`;
}
