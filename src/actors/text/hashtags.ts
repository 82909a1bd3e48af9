/**
 * Hashtags: `#` or its fullwidth form, then letters, digits, underscores and combining marks of any script; a middle
 * dot, a katakana middle dot or a zero-width non-joiner only inside. Never digits alone.
 */

import { isWordBefore } from './characters.ts';
import { textLimits } from './limits.ts';
import type { HashtagToken, Skip } from './tokens.ts';

const separators = '\u00b7\u30fb\u200c';
const tagRun = /[\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]+/uy;
const validName = /^[\p{L}\p{Nd}\p{Pc}][\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]*$/u;
const notOnlyDigits = /\P{Nd}/u;
const notOnlyUnderscores = /\P{Pc}/u;
const asciiWord = /^\w+$/;

/**
 * The identity of a tag: NFKC, lower case. Undefined for text that cannot be a tag, so it also validates tags in paths
 * and parameters (without the sign).
 */
export function normaliseTagName(display: string): string | undefined {
  if (display.length > textLimits.hashtagCharactersMax) return undefined;
  const name = asciiWord.test(display)
    ? display.toLowerCase()
    : display.normalize('NFKC').toLowerCase().normalize('NFKC');
  const isTag =
    name.length <= textLimits.hashtagCharactersMax &&
    validName.test(name) &&
    notOnlyDigits.test(name) &&
    notOnlyUnderscores.test(name);
  return isTag ? name : undefined;
}

/** A tag as people write it, without its sign if it has one. */
export function withoutSign(written: string): string {
  return written.replace(/^[#＃]/u, '');
}

/** The path of a tag's page here; also the `url` of a Tag entity, which clients compare with links of a post. */
export function tagPath(name: string): string {
  return `/tags/${encodeURIComponent(name)}`;
}

/** The hashtag whose sign is at `index`. */
export function hashtagAt(text: string, index: number): HashtagToken | Skip | undefined {
  if (!mayFollow(text, index)) return undefined;
  tagRun.lastIndex = index + 1;
  if (!tagRun.test(text)) return undefined;
  const runEnd = tagRun.lastIndex;
  let end = runEnd;
  while (end > index + 1 && separators.includes(text[end - 1]!)) end -= 1;
  const display = text.slice(index + 1, end);
  const name = normaliseTagName(display);
  return name === undefined ? { kind: 'skip', end: runEnd } : { kind: 'hashtag', start: index, end, name, display };
}

/** Not within a word, a path, a query or an HTML entity, nor directly after a closing parenthesis. */
function mayFollow(text: string, index: number): boolean {
  return index === 0 || !('=/)&'.includes(text[index - 1]!) || isWordBefore(text, index));
}
