/**
 * Whether somebody wrote more than fits. Texts are counted as a person counts, by graphemes, of which one may be built
 * of any number of code units: so what they are stored as has a bound as well, far above what writing needs.
 */
import { charactersPerUrl, countCharacters, countStatusCharacters } from '../actors/text/count.ts';
import { textLimits } from '../actors/text/limits.ts';

const schemeEnd = '://';
const { unitsPerCharacterMax, unitsPerLinkedCharacterMax } = textLimits;

export function exceedsCharacters(text: string, charactersMax: number): boolean {
  return text.length > charactersMax * unitsPerCharacterMax || countCharacters(text, charactersMax) > charactersMax;
}

/** Of a text in which a link counts as a few characters only, together with its content warning. */
export function exceedsStatusCharacters(text: string, spoilerText: string, charactersMax: number): boolean {
  const units = text.length + spoilerText.length;
  if (units > charactersMax * unitsPerLinkedCharacterMax) return true;
  // No character is shorter than a code unit, and nothing but a link counts more than it is long: most posts fit for
  // certain, uncounted.
  if (units + charactersPerUrl * (text.split(schemeEnd).length - 1) <= charactersMax) return false;
  return countStatusCharacters(text, spoilerText, charactersMax) > charactersMax;
}
