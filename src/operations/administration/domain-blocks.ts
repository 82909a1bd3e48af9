/** Rules for other servers: made, changed, taken back and listed by staff (specification 4.10). */
import { z } from 'zod';
import { domainBlocksPage, domainBlockWithId, findDomainBlock } from '../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../actors/instance/domains/domains.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import type { Page } from '../../actors/pages.ts';
import { domainSeverities, isStricter } from '../../actors/policy/domains.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { noSuchRule, otherDomain } from './domain-names.ts';

export const rulesListedMax = 200;

const comment = z.string().trim().max(instanceLimits.domainCommentCharactersMax).optional();

const content = {
  severity: z.enum(domainSeverities).optional(),
  rejectMedia: z.boolean().optional(),
  rejectReports: z.boolean().optional(),
  obfuscate: z.boolean().optional(),
  publicComment: comment,
  privateComment: comment,
};

export const pageInput = z.object({
  limit: z.int().min(1).max(rulesListedMax),
  maxId: z.bigint().optional(),
  sinceId: z.bigint().optional(),
  minId: z.bigint().optional(),
});

/** `isNew` is false where the domain, or one above it, has a rule that is as strict: nothing was changed then. */
export interface BlockedDomain {
  readonly block: DomainBlock;
  readonly isNew: boolean;
}

/** Silences by default. `isException`: also where the rule of a domain above it is stricter. */
export const blockDomain = operation({
  input: z.object({ domain: z.string(), ...content, isException: z.boolean().optional() }),
  permission: 'manageFederation',
  audit: 'blockDomain',
  async run({ caller, services, audit }, { domain: typed, isException = false, ...given }): Promise<BlockedDomain> {
    const domain = otherDomain(services, typed);
    const { severity = 'silence', rejectMedia = false, rejectReports = false, obfuscate = false, ...comments } = given;
    const rule = { severity, rejectMedia, rejectReports, obfuscate };
    const above = ruleAbove(services, domain);
    if (above !== undefined && !isException && !isStricter(rule, above)) return { block: above, isNew: false };
    const block = { domain, ...rule, ...withoutEmpty(comments) };
    return services.client.call(Instance.blockDomain.to(instanceKey, { ...block, audit }), flowOf(caller));
  },
});

/** By the id of the rule, or the name of its domain. What is not given stays; an empty comment is removed. */
export const changeDomainBlock = operation({
  input: z.object({ id: z.union([z.bigint(), z.string()]), ...content }),
  permission: 'manageFederation',
  audit: 'changeDomainBlock',
  async run({ caller, services, audit }, { id, ...given }): Promise<DomainBlock> {
    const before = named(services, id);
    const { id: blockId } = before;
    const changed = withoutEmpty({
      severity: given.severity ?? before.severity,
      rejectMedia: given.rejectMedia ?? before.rejectMedia,
      rejectReports: given.rejectReports ?? before.rejectReports,
      obfuscate: given.obfuscate ?? before.obfuscate,
      publicComment: given.publicComment ?? before.publicComment,
      privateComment: given.privateComment ?? before.privateComment,
    });
    const message = Instance.changeDomainBlock.to(instanceKey, { blockId, content: changed, audit });
    return services.client.call(message, flowOf(caller));
  },
});

/** By the name of the domain, or the id of the rule. */
export const unblockDomain = operation({
  input: z.object({ domain: z.union([z.string(), z.bigint()]) }),
  permission: 'manageFederation',
  audit: 'unblockDomain',
  async run({ caller, services, audit }, { domain: given }): Promise<DomainBlock> {
    const block = named(services, given);
    await services.client.call(Instance.unblockDomain.to(instanceKey, { blockId: block.id, audit }), flowOf(caller));
    return block;
  },
});

export const showDomainBlock = operation({
  input: z.object({ id: z.bigint() }),
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }, { id }) => blockOf(services, id),
});

/** Latest first. */
export const listDomainBlocks = operation({
  input: pageInput,
  permission: 'manageFederation',
  audit: reads,
  run: ({ services }, bounds): Page<DomainBlock> => domainBlocksPage(services.snapshots, bounds),
});

function named(services: Services, given: Id | string): DomainBlock {
  return typeof given === 'bigint' ? blockOf(services, given) : blockOfDomain(services, given);
}

function blockOf({ snapshots }: Services, blockId: Id): DomainBlock {
  const block = domainBlockWithId(snapshots, blockId);
  if (block === undefined) throw new Failure('notFound');
  return block;
}

function blockOfDomain({ snapshots }: Services, typed: string): DomainBlock {
  const domain = typed.trim().toLowerCase();
  const block = findDomainBlock(snapshots, domain);
  if (block === undefined) throw noSuchRule(domain);
  return block;
}

/** The rule that applies to the domain now: its own, or that of a domain above it. */
function ruleAbove(services: Services, domain: string): DomainBlock | undefined {
  const { domain: of } = domainPolicy(services).of(domain);
  return of === undefined || of === domain ? undefined : findDomainBlock(services.snapshots, of);
}

function withoutEmpty<Given extends { publicComment?: string | undefined; privateComment?: string | undefined }>(
  given: Given,
): Given {
  const { publicComment, privateComment, ...others } = given;
  const kept = withoutUndefined({
    publicComment: publicComment || undefined,
    privateComment: privateComment || undefined,
  });
  return { ...others, ...kept } as Given;
}
