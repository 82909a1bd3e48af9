/** Words as a search compares them: ignoring case, accents and punctuation. */
import { textLimits } from './limits.ts';

const marks = /\p{M}+/gu;
const wordPattern = /[\p{L}\p{N}_]+/gu;

function comparable(text: string): string {
  return text.normalize('NFKD').replace(marks, '').toLowerCase();
}

/** The distinct words of a text in order, up to the bound of a search. */
export function searchWords(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of comparable(text.slice(0, textLimits.searchCharactersMax)).matchAll(wordPattern)) {
    words.add(word);
    if (words.size === textLimits.searchWordsMax) break;
  }
  return [...words];
}
