/** The pairs of languages that can be translated: asked of the translator once a day. */
import { Failure } from '../../runtime/errors.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import type { TranslationLanguages } from '../../services/translator.ts';
import { closestLanguage } from '../../services/words/closest-language.ts';

const keptMilliseconds = 24 * 60 * 60 * 1_000;

/** The pairs that the translator offers, one list for each thread. */
const offered = member((services: Pick<Services, 'translator' | 'monotonic'>) => {
  const ask = () => services.translator?.languages() ?? Promise.resolve(new Map());
  return new KeptResult<TranslationLanguages>(services, ask, () => keptMilliseconds);
});

/** Empty where no translator is configured. Rejects with Failure remoteUnreachable. */
export function translationLanguages(
  services: Pick<Services, 'translator' | 'monotonic' | 'members'>,
): Promise<TranslationLanguages> {
  return offered(services).get();
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
