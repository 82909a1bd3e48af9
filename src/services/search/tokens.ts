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
/** First a run of a script without spaces, else a word. */
const parts =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)|[[\p{L}\p{N}\p{M}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]]+/gv;
const loneCharacter =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]$/v;
const notOnlyUnderscores = /[^_]/;

function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const apart = text.normalize('NFKC').toLowerCase().normalize('NFKD').replace(accents, '$1');
  return apart.normalize('NFC').replace(struck, (letter) => struckLetters[letter]!);
}

/** The tokens of a text that is stored. A run ends with its last character alone, which a single one is found by. */
export function tokensOf(text: string): string[] {
  return tokenise(text, (run) => run.map((character, index) => character + (run[index + 1] ?? '')));
}

/** What a query asks for: tokens that follow each other, and whether the last is the beginning of one. */
export interface Phrase {
  readonly tokens: readonly string[];
  readonly isBeginning?: true;
}

/** Undefined for a text without letters and digits. */
export function phraseOf(text: string): Phrase | undefined {
  const tokens = tokenise(text, (run) =>
    run.length === 1 ? run : run.slice(1).map((character, index) => run[index]! + character),
  );
  if (tokens.length === 0) return undefined;
  return loneCharacter.test(tokens.at(-1)!) ? { tokens, isBeginning: true } : { tokens };
}

function tokenise(text: string, cut: (run: readonly string[]) => readonly string[]): string[] {
  const tokens: string[] = [];
  for (const [part, run] of foldText(text).matchAll(parts)) {
    if (tokens.length >= searchLimits.tokensMax) break;
    if (run !== undefined) tokens.push(...cut(Array.from(run)));
    else if (notOnlyUnderscores.test(part)) tokens.push(part.slice(0, searchLimits.tokenCharactersMax));
  }
  return tokens;
}
