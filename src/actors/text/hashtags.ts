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
const beginsWithMark = /^\p{M}/u;
const notOnlyDigits = /\P{Nd}/u;
const notOnlyUnderscores = /\P{Pc}/u;
const asciiWord = /^\w+$/;

/** Of Latin-1 and Latin Extended-A, in lower case. */
const latinLetters = /[à-öø-ÿ\u0100-\u017f]/gu;
/** Letters there that consist of a letter of ASCII and a stroke or the like, which Unicode does not take apart. */
const asciiOfStruck: Readonly<Record<string, string>> = {
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  ŧ: 't',
};
/** Marks and joiners that are no part of a letter; signs of Thai are, as in Mastodon. */
const notInNames = /(?![\p{Alphabetic}\u0e47-\u0e4e_])[\p{M}\p{Pc}]/gu;

/**
 * A text as the names of tags are compared: NFKC, lower case, accents of Latin letters folded to ASCII, further marks
 * left out (behaviour of the Mastodon API, which also sends tags to other servers in this form). Not æ, œ, ß and þ.
 */
export function foldTagName(text: string): string {
  if (asciiWord.test(text)) return text.toLowerCase();
  const composed = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  return composed.replace(latinLetters, toAscii).replace(notInNames, '').normalize('NFKC');
}

function toAscii(letter: string): string {
  const base = asciiOfStruck[letter] ?? letter.normalize('NFD')[0]!;
  return asciiWord.test(base) ? base : letter;
}

/**
 * The identity of a tag, folded. Undefined for text that cannot be a tag, so it also validates tags in paths and
 * parameters (without the sign).
 */
export function normaliseTagName(display: string): string | undefined {
  if (display.length > textLimits.hashtagCharactersMax || beginsWithMark.test(display)) return undefined;
  const name = foldTagName(display);
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
