/** Mentions: `@user` and `@user@host[:port]`. Names may contain dots and hyphens, hosts letters of any script. */

import { isAsciiWord, isWordBefore } from './characters.ts';
import { textLimits } from './limits.ts';
import type { MentionToken, Skip } from './tokens.ts';

const nameRun = /[A-Za-z0-9_.-]+/y;
const domainRun = /[\p{L}\p{M}\p{Nd}_.-]+/uy;
const domainStart = /[\p{L}\p{Nd}_]/uy;
const portRun = /:[0-9]{1,5}(?![0-9])/y;

/** The key of a mention, as in `MentionToken.handle`: without a domain for local accounts. */
export function normaliseHandle(username: string, domain?: string): string {
  const handle = domain === undefined ? username : `${username}@${domain}`;
  return handle.normalize('NFKC').toLowerCase();
}

/** The mention whose sign is at `index`; none within a word, an email address, a path or a query. */
export function mentionAt(text: string, index: number): MentionToken | Skip | undefined {
  if (index > 0 && ('=/'.includes(text[index - 1]!) || isWordBefore(text, index))) return undefined;
  if (!isAsciiWord(text.charCodeAt(index + 1))) return undefined;
  const nameEnd = runEnd(nameRun, text, index + 1);
  const end = domainEnd(text, nameEnd);
  if (end - index > textLimits.handleCharactersMax) return { kind: 'skip', end };
  const username = text.slice(index + 1, nameEnd);
  const domain = end === nameEnd ? undefined : text.slice(nameEnd + 1, end);
  return { kind: 'mention', start: index, end, username, domain, handle: normaliseHandle(username, domain) };
}

/** Where `@host[:port]` ends, or `nameEnd` when none follows. */
function domainEnd(text: string, nameEnd: number): number {
  if (text[nameEnd] !== '@') return nameEnd;
  domainStart.lastIndex = nameEnd + 1;
  if (!domainStart.test(text)) return nameEnd;
  const hostEnd = runEnd(domainRun, text, nameEnd + 1);
  portRun.lastIndex = hostEnd;
  return portRun.test(text) ? portRun.lastIndex : hostEnd;
}

/** The end of a run, without trailing dots and hyphens: those belong to the sentence. */
function runEnd(run: RegExp, text: string, index: number): number {
  run.lastIndex = index;
  run.test(text);
  let end = run.lastIndex;
  while (text[end - 1] === '.' || text[end - 1] === '-') end -= 1;
  return end;
}
