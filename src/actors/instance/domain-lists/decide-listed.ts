/**
 * What staff decide about suggestions of a list: some of them in one turn, or all, slice by slice. Where a slice ended is
 * stored with the list, so a crash ends nothing.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { GivenAudit } from '../../audit.records.ts';
import { recordAudit } from '../../audit.state.ts';
import { termedContent } from '../../policy/listed-domains.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { domainListMessages } from './domain-lists.messages.ts';
import { demandList, findDomainList, findListedDomain } from './domain-lists.queries.ts';
import type { DomainListSubscription, ListedDomain } from './domain-lists.records.ts';
import { domainLists, listedDomains } from './domain-lists.state.ts';
import { rulesAround } from './listed-domains.queries.ts';
import { putListedDomain, RulesOfLists } from './rules-of-lists.ts';

type Body<Name extends keyof typeof domainListMessages> = BodyOf<(typeof domainListMessages)[Name]>;
type DecidingAll = NonNullable<DomainListSubscription['deciding']>;

const {
  domainListRowsPerTurn: rowsPerTurn,
  domainListRowsExaminedPerTurn: examinedPerTurn,
  domainRulesMax,
} = instanceLimits;

export function decideListedDomains(
  turn: InstanceTurn,
  { listId, domains, isAccepted, audit }: Body<'decideListedDomains'>,
): { decided: number } {
  const list = demandList(turn, listId);
  if (domains.length > rowsPerTurn) throw validationFailure('Too many domains at once');
  const rules = new RulesOfLists(turn, audit);
  let decided = 0;
  for (const domain of new Set(domains)) {
    const entry = findListedDomain(turn, listId, domain);
    if (entry === undefined || !isOpen(turn, entry, isAccepted)) continue;
    decided += 1;
    decide(turn, { list, entry, rules, isAccepted, audit });
  }
  if (rules.count > domainRulesMax) throw validationFailure('There are too many rules for domains');
  rules.announce();
  return { decided };
}

export function decideAllListed(
  turn: InstanceTurn,
  { listId, isAccepted, suggestedUntil, audit }: Body<'decideAllListed'>,
): { decided: number; left: number } {
  const list = demandList(turn, listId);
  if (list.deciding !== undefined) throw new Failure('conflict');
  if (isAccepted && isFull(new RulesOfLists(turn))) throw validationFailure('There are too many rules for domains');
  const { decided, suggested } = decideSome(turn, list, { isAccepted, suggestedUntil, decided: 0, audit });
  const left = demandList(turn, listId).deciding === undefined ? 0 : suggested;
  return { decided, left };
}

export function decideFurther(turn: InstanceTurn, { listId, slice = 0 }: Body<'decideFurther'>): undefined {
  const list = findDomainList(turn, listId);
  if (list?.deciding !== undefined) decideSome(turn, list, list.deciding, slice);
}

/** Also ends where there is no room for further rules: what was not decided is still suggested. */
function decideSome(
  turn: InstanceTurn,
  list: DomainListSubscription,
  deciding: DecidingAll,
  slice = 0,
): { decided: number; suggested: number } {
  const { isAccepted, suggestedUntil, audit, from } = deciding;
  const rules = new RulesOfLists(turn, audit);
  const { entries, last } = nextSuggestions(turn, list, { suggestedUntil, from });
  const open = entries.filter((entry) => isOpen(turn, entry, isAccepted));
  for (const entry of open) decide(turn, { list, entry, rules, isAccepted, audit });
  rules.announce();
  const decided = deciding.decided + open.length;
  const isOver = last === undefined || (isAccepted && isFull(rules));
  const { deciding: _before, ...others } = demandList(turn, list.id);
  const after = isOver ? others : { ...others, deciding: { ...deciding, decided, from: last } };
  turn.put(domainLists, [turn.self.key, list.id], after);
  if (!isOver) turn.tell(Instance.decideFurther.to(turn.self.key, { listId: list.id, slice: slice + 1 }));
  return { decided, suggested: others.suggested };
}

function isFull({ count }: RulesOfLists): boolean {
  return count + rowsPerTurn > domainRulesMax;
}

/** `last`: the domain that the next slice begins with; undefined where there is none. */
function nextSuggestions(
  turn: InstanceTurn,
  { id: listId }: DomainListSubscription,
  { suggestedUntil, from }: Pick<DecidingAll, 'suggestedUntil' | 'from'>,
): { entries: ListedDomain[]; last: string | undefined } {
  const entries: ListedDomain[] = [];
  let examined = 0;
  for (const { value } of turn.range(listedDomains, [turn.self.key, listId], { from })) {
    examined += 1;
    if (entries.length === rowsPerTurn || examined > examinedPerTurn) return { entries, last: value.domain };
    if (value.state === 'suggested' && value.changedAt <= suggestedUntil) entries.push(value);
  }
  return { entries, last: undefined };
}

interface Decision {
  readonly list: DomainListSubscription;
  readonly entry: ListedDomain;
  readonly rules: RulesOfLists;
  readonly isAccepted: boolean;
  readonly audit: GivenAudit | undefined;
}

function decide(turn: InstanceTurn, { list, entry, rules, isAccepted, audit }: Decision): void {
  const { domain } = entry;
  const after = isAccepted ? accepted(turn, list, entry) : { ...entry, state: 'refused' as const, changedAt: turn.now };
  putListedDomain(turn, list.id, domain, after);
  const isWritten = isAccepted && rules.settle(domain, list.title) !== undefined;
  if (!isWritten) recordAudit(turn, audit, { name: domain, after: { list: list.title } });
}

/** What was refused may be accepted later; not against what staff have decided about the server itself. */
function isOpen(turn: InstanceTurn, { state, domain, isGone, inForce }: ListedDomain, isAccepted: boolean): boolean {
  if (state !== 'suggested' && !(state === 'refused' && isAccepted)) return false;
  if (!isAccepted) return true;
  const { isOfStaff, isAllowed } = rulesAround(turn, { domain });
  return !isOfStaff && !isAllowed && (isGone !== true || inForce !== undefined);
}

function accepted(turn: InstanceTurn, list: DomainListSubscription, entry: ListedDomain): ListedDomain | undefined {
  if (entry.isGone === true) return undefined;
  return { ...entry, state: 'settled', inForce: termedContent(entry.listed, list), changedAt: turn.now };
}
