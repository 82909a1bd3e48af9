/** The pairs of languages that can be translated: asked of the translator once a day. */
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { TranslationLanguages, Translator } from '../../services/translator.ts';

const keptMilliseconds = 24 * 60 * 60 * 1_000;

interface Kept {
  readonly until: number;
  readonly languages: Promise<TranslationLanguages>;
}

const kept = new WeakMap<Translator, Kept>();

/** Empty where no translator is configured. Rejects with Failure remoteUnreachable. */
export function translationLanguages({
  translator,
  monotonic,
}: Pick<Services, 'translator' | 'monotonic'>): Promise<TranslationLanguages> {
  if (translator === undefined) return Promise.resolve(new Map());
  const known = kept.get(translator);
  if (known !== undefined && monotonic() < known.until) return known.languages;
  const languages = translator.languages();
  kept.set(translator, { until: monotonic() + keptMilliseconds, languages });
  // After a failure the next caller asks again.
  languages.catch(() => kept.delete(translator));
  return languages;
}

/** What a status without a language can be translated into. */
export function targetsOfAny(languages: TranslationLanguages): string[] {
  return [...new Set([...languages.values()].flat())].sort();
}

export interface Pair {
  /** Undefined: the translator detects it. */
  readonly source: string | undefined;
  readonly target: string;
}

/**
 * The languages in the codes of the translator: `zh-TW` is its `zh-Hant`, `de-AT` its `de`. Throws Failure forbidden
 * for a pair that it does not offer, as the Mastodon API does.
 */
export function offeredPair(languages: TranslationLanguages, source: string | undefined, target: string): Pair {
  const known = source === undefined ? undefined : closest([...languages.keys()], source);
  if (source !== undefined && known === undefined) throw new Failure('forbidden');
  const all = targetsOfAny(languages);
  const wanted = closest(all, target);
  const targets = known === undefined ? all : languages.get(known)!;
  if (wanted === undefined || wanted === known || !targets.includes(wanted)) throw new Failure('forbidden');
  return { source: known, target: wanted };
}

/** The code that is the same, or else of the same language and script and, if possible, region. */
function closest(codes: readonly string[], wanted: string): string | undefined {
  const same = codes.find((code) => code.toLowerCase() === wanted.toLowerCase());
  const parts = likelyParts(wanted);
  if (same !== undefined || parts === undefined) return same;
  const alike = codes.filter((code) => {
    const offered = likelyParts(code);
    return offered?.language === parts.language && offered.script === parts.script;
  });
  return alike.find((code) => likelyParts(code)?.region === parts.region) ?? alike[0];
}

/** Language, script and region (BCP 47). */
const localePattern = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** With the script and region that are usual where none is written; undefined for what is no code. */
function likelyParts(code: string): Intl.Locale | undefined {
  return localePattern.test(code) ? new Intl.Locale(code).maximize() : undefined;
}
