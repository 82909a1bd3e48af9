/** The pairs of languages that can be translated: asked of the translator once a day. */
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { TranslationLanguages, Translator } from '../../services/translator.ts';
import { closestLanguage } from '../languages.ts';

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
  const known = source === undefined ? undefined : closestLanguage([...languages.keys()], source);
  if (source !== undefined && known === undefined) throw new Failure('forbidden');
  const all = targetsOfAny(languages);
  const wanted = closestLanguage(all, target);
  const targets = known === undefined ? all : languages.get(known)!;
  if (wanted === undefined || wanted === known || !targets.includes(wanted)) throw new Failure('forbidden');
  return { source: known, target: wanted };
}
