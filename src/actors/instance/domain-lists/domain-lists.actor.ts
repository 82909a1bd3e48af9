/**
 * Subscribed lists of domains. A list is read by an effect, which reports what differs from before slice by slice; each
 * slice is decided about here, in a turn of its own. A reading that a crash has cut off is done again, and finds as
 * different only what was not taken over.
 *
 * INVARIANT
 * A list always has a timer for its next reading, also while it is read: what became of a reading cannot end it.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { domainBlocks } from '../domains/domains.state.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { readDomainList } from './domain-lists.effects.ts';
import type { domainListMessages } from './domain-lists.messages.ts';
import { allDomainLists, demandList, findDomainList, listsNaming } from './domain-lists.queries.ts';
import type { DomainListSettings, DomainListSubscription, ListChanges, ListedDomain } from './domain-lists.records.ts';
import { domainLists, listedDomains } from './domain-lists.state.ts';
import { listedChange } from './listed-domains.queries.ts';
import { putListedDomain, RulesOfLists } from './rules-of-lists.ts';

type Body<Name extends keyof typeof domainListMessages> = BodyOf<(typeof domainListMessages)[Name]>;

const { domainListsMax, domainListRowsPerTurn: rowsPerTurn } = instanceLimits;
const hourMilliseconds = 60 * 60 * 1_000;
/** By how much a pause may be longer than asked for. */
const spreadMax = 0.1;
const spreadSteps = 997n;
const nothing: ListChanges = { added: 0, changed: 0, removed: 0, suggested: 0 };

export function subscribeToDomainList(
  turn: InstanceTurn,
  { audit, ...settings }: Body<'subscribeToDomainList'>,
): DomainListSubscription {
  const lists = Array.from(turn.range(domainLists, [turn.self.key]));
  if (lists.length >= domainListsMax) throw validationFailure('There are too many lists');
  refuseKnownAddress(turn, settings, undefined);
  const id = turn.nextId();
  const counts = { entries: 0, inForce: 0, suggested: 0, readings: 0, rows: 0, unreadable: 0, failures: 0 };
  recordAudit(turn, audit, { targetId: id, name: settings.title, after: settings });
  return begin(turn, { ...settings, id, createdAt: turn.now, dueAt: turn.now, ...counts });
}

export function changeDomainList(
  turn: InstanceTurn,
  { listId, settings, audit }: Body<'changeDomainList'>,
): DomainListSubscription {
  const before = demandList(turn, listId);
  refuseKnownAddress(turn, settings, listId);
  recordAudit(turn, audit, { targetId: listId, name: settings.title, before: settingsOf(before), after: settings });
  const isSameList = settings.url === before.url && settings.form === before.form;
  // What another address or form has is not to be compared with what this one had.
  const { validators, rows, ...others } = before;
  const read = isSameList ? { validators, rows } : { rows: 0 };
  return begin(turn, { ...others, ...read, ...settings });
}

export function unsubscribeFromDomainList(
  turn: InstanceTurn,
  { listId, rules, audit }: Body<'unsubscribeFromDomainList'>,
): undefined {
  const { reading: _over, deciding: _further, ...before } = demandList(turn, listId);
  turn.put(domainLists, [turn.self.key, listId], { ...before, ending: rules });
  recordAudit(turn, audit, { targetId: listId, name: before.title, before: settingsOf(before), after: { rules } });
  turn.tell(Instance.endDomainList.to(turn.self.key, { listId }));
}

export function endDomainList(turn: InstanceTurn, { listId, slice = 0 }: Body<'endDomainList'>): undefined {
  const { key } = turn.self;
  const list = turn.get(domainLists, [key, listId]);
  if (list?.ending === undefined) return;
  const entries = Array.from(turn.range(listedDomains, [key, listId], { limit: rowsPerTurn }), ({ value }) => value);
  const rules = new RulesOfLists(turn);
  for (const entry of entries) {
    putListedDomain(turn, listId, entry.domain, undefined);
    if (entry.inForce === undefined) continue;
    const isItsOwn = listsNaming(turn, entry.domain).every((other) => other.entry.inForce === undefined);
    if (list.ending === 'keep' && isItsOwn) becomesOfStaff(turn, entry);
    else rules.settle(entry.domain, list.title);
  }
  rules.announce();
  if (entries.length < rowsPerTurn) turn.delete(domainLists, [key, listId]);
  else turn.tell(Instance.endDomainList.to(key, { listId, slice: slice + 1 }));
}

function becomesOfStaff(turn: InstanceTurn, { domain }: ListedDomain): void {
  const { isOfLists: _before, ...block } = turn.get(domainBlocks, [turn.self.key, domain])!;
  turn.put(domainBlocks, [turn.self.key, domain], block);
}

export function domainListDue(turn: InstanceTurn, { listId, dueAt }: Body<'domainListDue'>): undefined {
  const list = findDomainList(turn, listId);
  if (list?.dueAt === dueAt) begin(turn, list);
}

export function readDomainListNow(
  turn: InstanceTurn,
  { listId, mayShrink, audit }: Body<'readDomainListNow'>,
): DomainListSubscription {
  const list = demandList(turn, listId);
  recordAudit(turn, audit, { targetId: listId, name: list.title, after: mayShrink ? { mayShrink } : {} });
  const isEnough = list.reading !== undefined && (list.reading.mayShrink || !mayShrink);
  return isEnough ? list : begin(turn, list, mayShrink);
}

/** A reading that is under way ends with this, wherever it is. */
function begin(turn: InstanceTurn, list: DomainListSubscription, mayShrink = false): DomainListSubscription {
  const readings = list.readings + 1;
  const reading = { startedAt: turn.now, changes: nothing, mayShrink };
  turn.effect(readDomainList, { listId: list.id, reading: readings }, Instance.domainListRead);
  return dueIn(turn, { ...list, readings, reading }, list.hours * hourMilliseconds);
}

/** Not all servers ask for a list at the same moment. */
function dueIn(turn: InstanceTurn, list: DomainListSubscription, milliseconds: number): DomainListSubscription {
  const spread = Number((list.id + BigInt(turn.now)) % spreadSteps) / Number(spreadSteps);
  const dueAt = turn.now + Math.round(milliseconds * (1 + spread * spreadMax));
  const after = { ...list, dueAt };
  turn.put(domainLists, [turn.self.key, list.id], after);
  turn.schedule(dueAt, Instance.domainListDue.to(turn.self.key, { listId: list.id, dueAt }));
  return after;
}

export function takeListedDomains(
  turn: InstanceTurn,
  { listId, reading, rows }: Body<'takeListedDomains'>,
): { isOver: boolean } {
  const list = findDomainList(turn, listId);
  if (list?.reading === undefined || list.readings !== reading) return { isOver: true };
  const rules = new RulesOfLists(turn);
  const changes = { ...list.reading.changes };
  for (const row of rows) {
    const change = listedChange(turn, list, row, turn.now);
    if (change === undefined) continue;
    const { before, after } = change;
    putListedDomain(turn, listId, row.domain, after);
    if (after?.state === 'suggested' && before?.state !== 'suggested') changes.suggested += 1;
    const settled = rules.settle(row.domain, list.title);
    if (settled !== undefined) changes[settled] += 1;
  }
  rules.announce();
  turn.put(domainLists, [turn.self.key, listId], {
    ...demandList(turn, listId),
    reading: { ...list.reading, changes },
  });
  return { isOver: false };
}

export function domainListRead(turn: InstanceTurn, read: Body<'domainListRead'>): undefined {
  const list = findDomainList(turn, read.listId);
  if (list?.reading === undefined || list.readings !== read.reading) return;
  const { reading, problem: _last, ...others } = list;
  const hasChanged = Object.values(reading.changes).some((count) => count > 0);
  if (hasChanged) {
    const audit = { action: 'readDomainList', by: 'server' } as const;
    recordAudit(turn, audit, { targetId: list.id, name: list.title, after: reading.changes });
  }
  const changed = hasChanged ? { changes: reading.changes, changedAt: turn.now } : {};
  const { problem: kind, detail = '', waitMilliseconds = 0, rows, unreadable, validators } = read;
  const interval = list.hours * hourMilliseconds;
  if (kind === undefined) {
    const found = rows === undefined ? {} : { rows, unreadable: unreadable ?? 0, validators };
    dueIn(turn, { ...others, ...changed, ...found, readAt: turn.now, failures: 0 }, interval);
    return;
  }
  const pause = instanceLimits.domainListRetryMilliseconds * 2 ** Math.min(list.failures, 20);
  const problem = { kind, detail, at: turn.now };
  const after = { ...others, ...changed, problem, failures: list.failures + 1 };
  dueIn(turn, after, Math.max(Math.min(pause, interval), waitMilliseconds));
}

function refuseKnownAddress(turn: InstanceTurn, { url }: DomainListSettings, listId: Id | undefined): void {
  const isKnown = allDomainLists(turn).some((list) => list.url === url && list.id !== listId);
  if (isKnown) throw validationFailure('There is a subscription to this address already');
}

/** What the audit log shows. */
function settingsOf(list: DomainListSettings): DomainListSettings {
  const { title, url, form, mode, severityMax, followsRetractions, obfuscates, takesComments, followsMax, hours } =
    list;
  return { title, url, form, mode, severityMax, followsRetractions, obfuscates, takesComments, followsMax, hours };
}
