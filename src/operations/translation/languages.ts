/** The pairs of languages that can be translated: asked of the translator once a day. */
import { Failure } from '../../runtime/errors.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import type { TranslationLanguages } from '../../services/translator.ts';
import { closestLanguage } from '../../services/words/closest-language.ts';

const keptMilliseconds = 24 * 60 * 60 * 1_000;

/** After a failure the translator is not asked for its languages with every post that is shown. */
const pauseMilliseconds = 60_000;

/** The pairs that the translator offers, one list for each thread. */
class Offered {
  private readonly services: Pick<Services, 'translator' | 'monotonic'>;
  private readonly kept: KeptResult<TranslationLanguages>;
  private latest: TranslationLanguages | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(services: Pick<Services, 'translator' | 'monotonic'>) {
    this.services = services;
    const ask = () => services.translator?.languages() ?? Promise.resolve(new Map());
    this.kept = new KeptResult<TranslationLanguages>(services, ask, () => keptMilliseconds);
  }

  async get(): Promise<TranslationLanguages> {
    this.latest = await this.kept.get();
    return this.latest;
  }

  /** What is known without waiting; asks in the background. */
  get known(): TranslationLanguages | undefined {
    const now = this.services.monotonic();
    if (now - this.askedAt < pauseMilliseconds) return this.latest;
    this.askedAt = now;
    this.get().catch(() => {
      // Whoever shows a post offers no translation of it until the translator answers.
      this.latest = undefined;
    });
    return this.latest;
  }
}

const offered = member((services: Pick<Services, 'translator' | 'monotonic'>) => new Offered(services));

/** Empty where no translator is configured. Rejects with Failure remoteUnreachable. */
export function translationLanguages(
  services: Pick<Services, 'translator' | 'monotonic' | 'members'>,
): Promise<TranslationLanguages> {
  return offered(services).get();
}

/** Whether the pair is offered, as far as is known without waiting: a first post that is asked about has to wait for another. */
export function isTranslatable(
  services: Pick<Services, 'translator' | 'monotonic' | 'members'>,
  source: string,
  target: string,
): boolean {
  const { known } = offered(services);
  return known !== undefined && pairIn(known, source, target) !== undefined;
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
  const pair = pairIn(languages, source, target);
  if (pair === undefined) throw new Failure('forbidden');
  return pair;
}

function pairIn(languages: TranslationLanguages, source: string | undefined, target: string): Pair | undefined {
  const known = source === undefined ? undefined : closestLanguage([...languages.keys()], source);
  if (source !== undefined && known === undefined) return undefined;
  const all = targetsOfAny(languages);
  const wanted = closestLanguage(all, target);
  const targets = known === undefined ? all : languages.get(known)!;
  return wanted === undefined || wanted === known || !targets.includes(wanted)
    ? undefined
    : { source: known, target: wanted };
}
