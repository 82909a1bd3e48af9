/**
 * Character classes of local text, and the cleaning of a text before it is searched for tokens.
 *
 * "Word" means letters, combining marks, decimal digits and connector punctuation of any script.
 */

const wordCharacter = /^[\p{L}\p{M}\p{Nd}\p{Pc}]$/u;
const unwantedControls = /[\p{Cc}--[\t\n]]/gv;
const carriageReturns = /\r\n?/g;

export function isAsciiDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isAsciiWord(code: number): boolean {
  return isAsciiLetter(code) || isAsciiDigit(code) || code === 0x5f;
}

/** Whether the character before `index` is a word character; false at the start of the text. */
export function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  const code = text.charCodeAt(index - 1);
  if (code < 0x80) return isAsciiWord(code);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff && index > 1;
  return wordCharacter.test(text.slice(isLowSurrogate ? index - 2 : index - 1, index));
}

/**
 * Text as the rest of this folder expects it: line ends are `\n`, no control characters except tabs, lone surrogates
 * replaced, no white space at either end. Idempotent.
 */
export function cleanText(text: string): string {
  const lines = text.includes('\r') ? text.replace(carriageReturns, '\n') : text;
  return withoutControls(lines.toWellFormed()).trim();
}

/** Removes control characters, except tabs and line ends. */
export function withoutControls(text: string): string {
  return text.replace(unwantedControls, '');
}
