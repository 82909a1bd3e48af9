/** The terms of service: which version is in force, and which one succeeds it. */
import { listTerms, type Terms } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Services } from '../../services/services.ts';

export interface EffectiveTerms extends Terms {
  readonly isEffective: boolean;
  /** When another version takes effect, in days since 1970. */
  readonly succeededBy: number | undefined;
}

/** Oldest first. */
export function allTerms({ snapshots, now }: Pick<Services, 'snapshots' | 'now'>): EffectiveTerms[] {
  const today = dayOf(now());
  const versions = listTerms(snapshots);
  return versions.map((terms, index) => ({
    ...terms,
    isEffective: terms.day <= today,
    succeededBy: versions[index + 1]?.day,
  }));
}

/** Those in force; before any are, the first future ones. Undefined where staff published none. */
export function currentTerms(services: Pick<Services, 'snapshots' | 'now'>): EffectiveTerms | undefined {
  const versions = allTerms(services);
  return versions.findLast(({ isEffective }) => isEffective) ?? versions[0];
}
