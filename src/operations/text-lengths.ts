/**
 * Whether a text is too long. Texts are counted in graphemes, each of which may consist of any number of code units: so
 * the stored text has a bound as well, far above what writing needs.
 */
import { charactersPerUrl, countCharacters, countStatusCharacters } from '../actors/text/count.ts';
import { textLimits } from '../actors/text/limits.ts';

const schemeEnd = '://';
const { unitsPerCharacterMax, unitsPerLinkedCharacterMax } = textLimits;

export function exceedsCharacters(text: string, charactersMax: number): boolean {
  return text.length > charactersMax * unitsPerCharacterMax || countCharacters(text, charactersMax) > charactersMax;
}

/** For a text in which links count a fixed number, together with its content warning. */
export function exceedsStatusCharacters(text: string, spoilerText: string, charactersMax: number): boolean {
  const units = text.length + spoilerText.length;
  if (units > charactersMax * unitsPerLinkedCharacterMax) return true;
  // A grapheme has at least one code unit, and only links count more than their length: most posts are within the limit
  // for certain, without counting.
  if (units + charactersPerUrl * (text.split(schemeEnd).length - 1) <= charactersMax) return false;
  return countStatusCharacters(text, spoilerText, charactersMax) > charactersMax;
}
