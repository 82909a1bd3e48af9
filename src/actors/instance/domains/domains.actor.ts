/**
 * Rules for other servers. A change is in force for everything that begins after its answer; accounts that are known
 * already are treated afterwards (sweep.ts).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { factsOfRule, RulesOfLists, staffDecide } from '../domain-lists/rules-of-lists.ts';
import { settings } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { domainMessages } from './domains.messages.ts';
import { domainAllowWithId, domainBlockWithId } from './domains.queries.ts';
import type { DomainAllow, DomainBlock } from './domains.records.ts';
import { domainAllowOfId, domainAllows, domainBlockOfId, domainBlocks } from './domains.state.ts';
import { policyChanged, policyState } from './sweep.ts';

type Body<Name extends keyof typeof domainMessages> = BodyOf<(typeof domainMessages)[Name]>;

export function blockDomain(
  turn: InstanceTurn,
  { audit, ...given }: Body<'blockDomain'>,
): { block: DomainBlock; isNew: boolean } {
  const { key } = turn.self;
  const { domain } = given;
  const present = turn.get(domainBlocks, [key, domain]);
  if (present !== undefined && present.isOfLists !== true) return { block: present, isNew: false };
  const { blocks } = policyState(turn);
  if (present === undefined) refuseTooMany(blocks);
  const { id, createdAt } = present ?? { id: turn.nextId(), createdAt: turn.now };
  const block = { ...given, id, createdAt };
  turn.put(domainBlocks, [key, domain], block);
  turn.put(domainBlockOfId, [key, block.id], { domain });
  staffDecide(turn, domain, 'staff');
  const factsOfPresent = present === undefined ? {} : factsOfRule(present);
  recordAudit(turn, audit, { ...named(block), before: factsOfPresent, after: factsOfRule(block) });
  policyChanged(turn, [domain], { blocks: present === undefined ? blocks + 1 : blocks });
  return { block, isNew: true };
}

export function changeDomainBlock(
  turn: InstanceTurn,
  { blockId, content, audit }: Body<'changeDomainBlock'>,
): DomainBlock {
  const before = blockOf(turn, blockId);
  const { id, domain, createdAt } = before;
  const block = { ...content, id, domain, createdAt };
  turn.put(domainBlocks, [turn.self.key, domain], block);
  staffDecide(turn, domain, 'staff');
  recordAudit(turn, audit, { ...named(block), before: factsOfRule(before), after: factsOfRule(block) });
  policyChanged(turn, [domain]);
  return block;
}

export function unblockDomain(turn: InstanceTurn, { blockId, audit }: Body<'unblockDomain'>): undefined {
  const { key } = turn.self;
  const before = blockOf(turn, blockId);
  turn.delete(domainBlocks, [key, before.domain]);
  turn.delete(domainBlockOfId, [key, blockId]);
  staffDecide(turn, before.domain, 'refused');
  recordAudit(turn, audit, { ...named(before), before: factsOfRule(before) });
  policyChanged(turn, [before.domain], { blocks: policyState(turn).blocks - 1 });
}

export function allowDomain(turn: InstanceTurn, { domain, audit }: Body<'allowDomain'>): DomainAllow {
  const { key } = turn.self;
  const present = turn.get(domainAllows, [key, domain]);
  if (present !== undefined) {
    recordAudit(turn, audit, named(present));
    return present;
  }
  const { allows } = policyState(turn);
  refuseTooMany(allows);
  const allow = { id: turn.nextId(), domain, createdAt: turn.now };
  turn.put(domainAllows, [key, domain], allow);
  turn.put(domainAllowOfId, [key, allow.id], { domain });
  recordAudit(turn, audit, { ...named(allow), after: { isAllowed: true } });
  staffDecide(turn, domain, 'allowed');
  const rules = new RulesOfLists(turn, audit && { ...audit, action: 'unblockDomain' });
  rules.settle(domain);
  rules.announce();
  policyChanged(turn, [domain], { allows: allows + 1 });
  return allow;
}

export function disallowDomain(turn: InstanceTurn, { allowId, audit }: Body<'disallowDomain'>): undefined {
  const { key } = turn.self;
  const before = domainAllowWithId(turn, allowId);
  if (before === undefined) throw new Failure('notFound');
  turn.delete(domainAllows, [key, before.domain]);
  turn.delete(domainAllowOfId, [key, allowId]);
  recordAudit(turn, audit, { ...named(before), before: { isAllowed: true } });
  policyChanged(turn, [before.domain], { allows: policyState(turn).allows - 1 });
}

export function setFederationMode(turn: InstanceTurn, { mode, audit }: Body<'setFederationMode'>): undefined {
  const stored = turn.get(settings, [turn.self.key]);
  const before = { mode: stored?.federationMode ?? 'open' };
  turn.put(settings, [turn.self.key], { ...stored, federationMode: mode });
  recordAudit(turn, audit, { name: 'federation', before, after: { mode } });
  if (mode !== before.mode) policyChanged(turn, []);
}

function blockOf(turn: InstanceTurn, blockId: Id): DomainBlock {
  const block = domainBlockWithId(turn, blockId);
  if (block === undefined) throw new Failure('notFound');
  return block;
}

function named({ id, domain }: { readonly id: Id; readonly domain: string }) {
  return { targetId: id, name: domain };
}

function refuseTooMany(count: number): void {
  if (count >= instanceLimits.domainRulesMax) throw validationFailure('There are too many rules for domains');
}
