/**
 * The length of a post as its author sees it: graphemes after NFC, where a web link counts a fixed number and a mention
 * only its `@user`. The content warning is included.
 */
import { cleanText } from './characters.ts';
import { extractTokens } from './extract.ts';

/** The count of any http or https link (`characters_reserved_per_url` of the instance document). */
export const charactersPerUrl = 23;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The characters of a post. Stops soon after `stopAbove`, and then returns some larger number: a huge text costs no
 * more than one that just fits.
 */
export function countStatusCharacters(text: string, spoilerText = '', stopAbove = Number.POSITIVE_INFINITY): number {
  const cleaned = cleanText(text);
  let count = countCharacters(cleanText(spoilerText), stopAbove);
  let position = 0;
  for (const token of extractTokens(cleaned)) {
    if (count > stopAbove) return count;
    if (token.kind === 'hashtag' || (token.kind === 'link' && !token.isWeb)) continue;
    count += countCharacters(cleaned.slice(position, token.start), stopAbove - count);
    count += token.kind === 'link' ? charactersPerUrl : 1 + token.username.length;
    position = token.end;
  }
  return count + countCharacters(cleaned.slice(position), stopAbove - count);
}

/** Graphemes of a text after NFC; counting stops above `stopAbove`. */
export function countCharacters(text: string, stopAbove = Number.POSITIVE_INFINITY): number {
  const composed = text.normalize('NFC').replaceAll('\r\n', '\n');
  let count = 0;
  let index = 0;
  while (index < composed.length && count <= stopAbove) {
    if (isSimple(composed, index) && isSimple(composed, index + 1)) {
      count += 1;
      index += 1;
    } else {
      const end = clusterRunEnd(composed, index);
      count += countSegments(composed.slice(index, end), stopAbove - count);
      index = end;
    }
  }
  return count;
}

/**
 * The end of a run of characters that could combine: such a run lies between two simple characters, between which there
 * is always a boundary.
 */
function clusterRunEnd(text: string, index: number): number {
  let end = index + 1;
  while (end < text.length && !(isSimple(text, end - 1) && isSimple(text, end))) end += 1;
  return end;
}

/**
 * Whether a character next to another simple one is a grapheme of its own: ASCII, Latin, Greek and Cyrillic letters,
 * kana, the common ideographs and Hangul syllables. The end of the text counts as simple.
 */
function isSimple(text: string, index: number): boolean {
  if (index >= text.length) return true;
  const code = text.charCodeAt(index);
  if (code < 0x300) return code !== 0xa9 && code !== 0xae && code !== 0xad;
  if (code <= 0x482) return code >= 0x370;
  if (code < 0x3041) return code === 0x3001 || code === 0x3002;
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code <= 0x3096 && code >= 0x3041) ||
    (code >= 0x30a1 && code <= 0x30fe)
  );
}

function countSegments(text: string, stopAbove: number): number {
  let count = 0;
  for (const _segment of segmenter.segment(text)) {
    count += 1;
    if (count > stopAbove) break;
  }
  return count;
}
