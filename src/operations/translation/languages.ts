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

/** Throws Failure forbidden for a pair that the translator does not offer, as the Mastodon API does. */
export function demandPair(languages: TranslationLanguages, source: string | undefined, target: string): void {
  const targets = source === undefined ? [...languages.keys()] : languages.get(source);
  if (targets?.includes(target) !== true) throw new Failure('forbidden');
}
