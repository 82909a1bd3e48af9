/**
 * Texts as the index compares them: words without case, width and accents. Scripts that do not separate words are cut
 * into overlapping pairs of characters, so that every part of two or more characters is found.
 */
import { searchLimits } from './limits.ts';

const ascii = /^[\0-\x7f]*$/;
/** Marks of Indic and other scripts are part of their letters. */
const accents = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu;
/** Letters that Unicode does not take apart. */
const struckLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  œ: 'oe',
  ŧ: 't',
};
const struck = /[ßæðøþđħıłŋœŧ]/g;
/** Characters of scripts without spaces between words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`;
/** First a run of such a script, else a word. */
const parts = new RegExp(String.raw`([${unspaced}]+)|[[\p{L}\p{N}\p{M}_]--[${unspaced}]]+`, 'gv');
/** The same in what is ASCII, several times quicker than by properties of Unicode. */
const asciiWords = /[a-z0-9_]+/g;
const loneCharacter = new RegExp(`^[${unspaced}]$`, 'v');
const pairOfCharacters = new RegExp(`^[${unspaced}]{2}$`, 'v');
const notOnlyUnderscores = /[^_]/;

function foldText(text: string): string {
  const apart = text.normalize('NFKC').toLowerCase().normalize('NFKD').replace(accents, '$1');
  return apart.normalize('NFC').replace(struck, (letter) => struckLetters[letter]!);
}

/** The tokens of a text that is stored. A run ends with its last character alone, which a single one is found by. */
export function tokensOf(text: string): string[] {
  return tokenise(text, searchLimits.tokensMax);
}

/** What a query asks for: tokens that follow each other, and whether the last is the beginning of one. */
export interface Phrase {
  readonly tokens: readonly string[];
  readonly isBeginning?: true;
}

/** Undefined for a text without letters and digits. */
export function phraseOf(text: string): Phrase | undefined {
  const tokens = tokenise(text, searchLimits.phraseTokensMax);
  const [before = '', last] = [tokens.at(-2), tokens.at(-1)];
  if (last === undefined) return undefined;
  if (!loneCharacter.test(last)) return { tokens };
  // The run may go on where it ends in the query.
  const isOfPair = pairOfCharacters.test(before) && before.endsWith(last);
  return isOfPair ? { tokens: tokens.slice(0, -1) } : { tokens, isBeginning: true };
}

function tokenise(text: string, tokensMax: number): string[] {
  if (ascii.test(text)) return tokensOfAscii(text, tokensMax);
  const tokens: string[] = [];
  for (const [part, run] of foldText(text).matchAll(parts)) {
    if (tokens.length >= tokensMax) break;
    if (run !== undefined) {
      const characters = Array.from(run);
      tokens.push(...characters.map((character, index) => character + (characters[index + 1] ?? '')));
    } else if (notOnlyUnderscores.test(part)) tokens.push(part.slice(0, searchLimits.tokenCharactersMax));
  }
  return tokens.slice(0, tokensMax);
}

function tokensOfAscii(text: string, tokensMax: number): string[] {
  const words = (text.toLowerCase().match(asciiWords) ?? []).filter((word) => notOnlyUnderscores.test(word));
  return words.slice(0, tokensMax).map((word) => word.slice(0, searchLimits.tokenCharactersMax));
}
