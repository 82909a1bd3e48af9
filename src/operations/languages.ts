/** Language codes as clients send them: ISO 639, perhaps with a region. */

const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/;

/** Undefined for what is no language, and for a code of several or none. */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
/** Offered by Mastodon, without a name in Unicode: Láadan and Balaibalan. */
const unnamed: ReadonlySet<string> = new Set(['ldn', 'zba']);
const noLanguages: ReadonlySet<string> = new Set(['mul', 'und', 'zxx']);

/** With two letters; each post asks for one, and ICU takes longer than most of what a post takes. */
const shortCodes: ReadonlySet<string> = new Set(pairsOfLetters().filter((code) => names.of(code) !== undefined));

/** Codes of two letters that have a name, each language once: what writers choose from. */
export function commonLanguages(): string[] {
  const named = new Map([...shortCodes].map((code) => [names.of(code), code] as const).toReversed());
  return [...named.values()].filter((code) => Intl.getCanonicalLocales(code)[0] === code);
}

/** Whether the language exists; its region or script is not looked up. */
export function isLanguage(given: string): boolean {
  return languagePattern.test(given) && isKnown(given.split('-', 1)[0]!);
}

function isKnown(code: string): boolean {
  if (code.length === 2) return shortCodes.has(code);
  return !noLanguages.has(code) && (unnamed.has(code) || names.of(code) !== undefined);
}

function pairsOfLetters(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return [...letters].flatMap((first) => [...letters].map((second) => first + second));
}
