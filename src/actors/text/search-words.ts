/** Words as a search compares them: without regard to case, accents, and what stands between words. */
import { textLimits } from './limits.ts';

const marks = /\p{M}+/gu;
const wordPattern = /[\p{L}\p{N}_]+/gu;

function comparable(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase();
}

/** The different words of a text in their order, as many as a search looks at. */
export function searchWords(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of comparable(text.slice(0, textLimits.searchCharactersMax)).matchAll(wordPattern)) {
    words.add(word);
    if (words.size === textLimits.searchWordsMax) break;
  }
  return [...words];
}
