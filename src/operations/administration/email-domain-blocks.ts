/** Domains of e-mail addresses with which nobody signs up, or only with the approval of staff. */
import { z } from 'zod';
import { emailDomainList } from '../../actors/instance/access/access.queries.ts';
import type { EmailDomainBlock } from '../../actors/instance/access/access.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { listing, namedBlock, newBlock, showing } from './access-lists.ts';

/** Also for the domains below it. */
export const blockEmailDomain = operation({
  input: z.object({ domain: z.string(), allowWithApproval: z.boolean().optional() }),
  permission: 'manageBlocks',
  audit: 'blockEmailDomain',
  async run({ caller, services, audit }, { domain: typed, allowWithApproval = false }): Promise<EmailDomainBlock> {
    const domain = emailDomain(typed);
    const message = Instance.blockEmailDomain.to(instanceKey, { domain, allowWithApproval, audit });
    return newBlock(await services.client.call(message, flowOf(caller)), 'Domain');
  },
});

export const unblockEmailDomain = operation({
  input: z.object({ domain: z.union([z.string(), z.bigint()]) }),
  permission: 'manageBlocks',
  audit: 'unblockEmailDomain',
  async run({ caller, services, audit }, { domain }): Promise<EmailDomainBlock> {
    const named = typeof domain === 'string' ? emailDomain(domain) : domain;
    const block = namedBlock(services.snapshots, emailDomainList, named);
    await services.client.call(
      Instance.unblockEmailDomain.to(instanceKey, { blockId: block.id, audit }),
      flowOf(caller),
    );
    return block;
  },
});

export const showEmailDomainBlock = showing(emailDomainList);
export const listEmailDomainBlocks = listing(emailDomainList);

/** With or without what stands before the @. */
function emailDomain(typed: string): string {
  const text = typed.trim().toLowerCase().split('@').at(-1)!;
  if (text === '') throw validationFailure("Domain can't be blank");
  const domain = text.includes(':') ? undefined : normaliseHost(text);
  if (domain === undefined) throw validationFailure('Domain is not a valid domain name');
  return domain;
}
