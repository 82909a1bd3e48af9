/**
 * Rules for other servers. A change is in force for everything that begins after its answer; accounts that are known
 * already are treated afterwards (sweep.ts).
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { settings } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { domainMessages } from './domains.messages.ts';
import { domainAllowWithId, domainBlockWithId } from './domains.queries.ts';
import type { DomainAllow, DomainBlock, DomainBlockContent } from './domains.records.ts';
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
  if (present !== undefined) return { block: present, isNew: false };
  const { blocks } = policyState(turn);
  refuseTooMany(blocks);
  const block = { ...given, id: turn.nextId(), createdAt: turn.now };
  turn.put(domainBlocks, [key, domain], block);
  turn.put(domainBlockOfId, [key, block.id], { domain });
  recordAudit(turn, audit, { ...named(block), after: factsOf(block) });
  policyChanged(turn, [domain], { blocks: blocks + 1 });
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
  recordAudit(turn, audit, { ...named(block), before: factsOf(before), after: factsOf(block) });
  policyChanged(turn, [domain]);
  return block;
}

export function unblockDomain(turn: InstanceTurn, { blockId, audit }: Body<'unblockDomain'>): undefined {
  const { key } = turn.self;
  const before = blockOf(turn, blockId);
  turn.delete(domainBlocks, [key, before.domain]);
  turn.delete(domainBlockOfId, [key, blockId]);
  recordAudit(turn, audit, { ...named(before), before: factsOf(before) });
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

function factsOf(block: DomainBlockContent) {
  const { severity, rejectMedia, rejectReports, obfuscate, publicComment, privateComment } = block;
  return { severity, rejectMedia, rejectReports, obfuscate, publicComment, privateComment };
}

function refuseTooMany(count: number): void {
  if (count >= instanceLimits.domainRulesMax) throw validationFailure('There are too many rules for domains');
}
