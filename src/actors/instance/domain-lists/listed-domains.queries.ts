/** What a reading of a list makes of a domain: the same on the thread that reads it, and in the turn that takes it over. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { firstOf } from '../../policy/domains.ts';
import { decidedEntry, isSameEntry, termedContent } from '../../policy/listed-domains.ts';
import { findDomainAllow, findDomainBlock } from '../domains/domains.queries.ts';
import { domainPolicyStates } from '../domains/domains.state.ts';
import { instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { findListedDomain, listsNaming } from './domain-lists.queries.ts';
import type { DomainListSubscription, ListedDomain, ReadRow } from './domain-lists.records.ts';

export interface ListedChange {
  readonly before: ListedDomain | undefined;
  /** Undefined where the list is to know nothing of the domain any more. */
  readonly after: ListedDomain | undefined;
}

/** Undefined where everything is as it was. */
export function listedChange(
  reader: Reader,
  list: DomainListSubscription,
  row: ReadRow,
  now: number,
): ListedChange | undefined {
  const { domain } = row;
  const before = findListedDomain(reader, list.id, domain);
  const listed = row.listed ?? before?.listed;
  if (listed === undefined || (before === undefined && isFull(list))) return undefined;
  const isGone = row.listed === undefined;
  const follows = row.follows ?? before?.follows ?? 0;
  const decided = decidedEntry({
    ...{ listed, isGone, entry: before, terms: list },
    ...rulesAround(reader, row),
    others: listsNaming(reader, domain).flatMap(({ listId, entry: other }) =>
      listId === list.id ? [] : (other.inForce ?? []),
    ),
    follows,
    hasRoom: hasRoom(reader),
  });
  if (decided === undefined) return before && { before, after: undefined };
  const after: ListedDomain = {
    ...{ domain, listed, state: decided.state, since: before?.since ?? now, changedAt: now },
    ...(decided.inForce !== undefined && { inForce: decided.inForce }),
    ...(isGone && { isGone }),
    ...(follows > 0 && { follows }),
  };
  return isSameEntry(before, after) ? undefined : { before, after };
}

/** Whether the domain is new to be suspended, so that it matters whose follows would end. */
export function isNewSuspension(reader: Reader, list: DomainListSubscription, { domain, listed }: ReadRow): boolean {
  if (listed === undefined || termedContent(listed, list).severity !== 'suspend') return false;
  return findDomainBlock(reader, domain)?.severity !== 'suspend';
}

/** What counts for a domain before any list. */
export function rulesAround(
  reader: Reader,
  { domain, isAboveAllowed = false }: Pick<ReadRow, 'domain' | 'isAboveAllowed'>,
) {
  const find = (name: string) => findDomainBlock(reader, name);
  const own = find(domain);
  const above = firstOf(domain, (name) => (name === domain ? undefined : find(name)));
  const isOfStaff = [own, above].some((one) => one !== undefined && one.isOfLists !== true);
  const isAllowed = isAboveAllowed || firstOf(domain, (name) => findDomainAllow(reader, name)) !== undefined;
  return { isAllowed, isOfStaff, above };
}

function isFull({ entries }: DomainListSubscription): boolean {
  return entries >= instanceLimits.domainListEntriesMax;
}

/** For all rows of a turn. */
function hasRoom(reader: Reader): boolean {
  const blocks = reader.get(domainPolicyStates, [instanceKey])?.blocks ?? 0;
  return blocks + instanceLimits.domainListRowsPerTurn <= instanceLimits.domainRulesMax;
}
