/** What gateways ask network threads about subscribed lists of domains. */
import type {
  DomainListSettings,
  ListedDomain,
  ListProblem,
} from '../actors/instance/domain-lists/domain-lists.records.ts';
import type { ListedContent } from '../actors/policy/listed-domains.ts';

export const tryDomainListTopic = 'try domain list';

/** A list that is subscribed to, under other settings or its own; or one that is not. */
export interface ListToTry {
  readonly listId: bigint | undefined;
  readonly settings: DomainListSettings;
}

/**
 * `begins`, `changes`, `ends`: of the rule that lists make. `suggested`: staff would be asked. `nothing`: as `state` of the
 * entry says.
 */
export const triedOutcomes = ['begins', 'changes', 'ends', 'suggested', 'nothing'] as const;
export type TriedOutcome = (typeof triedOutcomes)[number];

export interface TriedRow {
  readonly domain: string;
  /** Undefined where the list does not name it any more. */
  readonly listed: ListedContent | undefined;
  readonly outcome: TriedOutcome;
  readonly state: ListedDomain['state'] | undefined;
  /** Follows that end with a suspension. */
  readonly follows: number;
}

export interface TriedList {
  /** Nothing else is known then. */
  readonly problem?: ListProblem | undefined;
  readonly detail: string;
  readonly domains: number;
  readonly unreadable: number;
  /** Those that make a difference first, up to a bound. */
  readonly rows: readonly TriedRow[];
  readonly counts: Readonly<Record<TriedOutcome, number>>;
}

export interface DomainListNetwork {
  /** Fetches the list, and compares it with what is here. Changes nothing. */
  try(list: ListToTry): Promise<TriedList>;
}
