/**
 * Handles of accounts, `user@host[:port]`, and their normal form: the host in lower case and punycode, without a trailing
 * dot and without the port of https. The user name keeps its case; servers compare it without.
 */
import { discoveryLimits } from './limits.ts';

export interface Handle {
  readonly username: string;
  readonly host: string;
}

/** What other servers allow in names: Misskey's system accounts have dots, others hyphens; letters of any script. */
const usernamePattern = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_])?$/u;

/** `user@host`, `@user@host` or `acct:user@host` in normal form; undefined when it is none of them or has no host. */
export function parseHandle(text: string): Handle | undefined {
  if (text.length > discoveryLimits.handleCharactersMax) return undefined;
  const bare = text
    .trim()
    .replace(/^acct:/i, '')
    .replace(/^@/, '');
  const at = bare.indexOf('@');
  if (at <= 0) return undefined;
  const username = bare.slice(0, at);
  if (!usernamePattern.test(username)) return undefined;
  const host = normaliseHost(bare.slice(at + 1));
  return host === undefined ? undefined : { username, host };
}

export function formatHandle(handle: Handle): string {
  return `${handle.username}@${handle.host}`;
}

/** Whether two handles name one account: hosts in normal form, names without regard to case. */
export function isSameHandle(one: Handle, other: Handle): boolean {
  return one.host === other.host && one.username.toLowerCase() === other.username.toLowerCase();
}

/** A `host[:port]` in normal form; undefined when it is not one. */
export function normaliseHost(text: string): string | undefined {
  if (text.length > discoveryLimits.hostCharactersMax || /[/?#@\\%\s]/.test(text)) return undefined;
  const url = URL.parse(`https://${text}`);
  if (url === null || url.pathname !== '/') return undefined;
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname === '' || hostname.startsWith('.') || hostname.includes('..')) return undefined;
  return url.port === '' ? hostname : `${hostname}:${url.port}`;
}
