/** The endpoints of the user's domain blocks (specification 4.10, 6.2). */
import { z } from 'zod';
import { domainBlocksOf } from '../../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, unblockDomain } from '../../../operations/relationships/block-domain.ts';
import { text as anyText, EmptyEntity } from '../../entities/values.ts';
import { empty } from '../../http/answers.ts';
import { pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf, pageAnswer } from '../accounts/answers.ts';

export const getDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/domain_blocks',
  authentication: 'user',
  scopes: ['read:blocks'],
  parameters: z.object(pageParameters(100, 200)),
  summary: 'The domains that the user hides, latest first.',
  answer: z.array(anyText),
  handler({ services, grant, request }, given) {
    const page = domainBlocksOf(services.snapshots, grant.accountId, boundsOf(given));
    return pageAnswer(request, page, given.limit, (domain) => domain);
  },
});

const change = { path: '/api/v1/domain_blocks', authentication: 'user', scopes: ['write:blocks'] } as const;
const parameters = z.object({ domain: required(text) });

export const postDomainBlock = endpoint({
  ...change,
  method: 'POST',
  parameters,
  summary: 'Hides a domain, and ends follows from and to it.',
  answer: EmptyEntity,
  async handler(context, { domain }) {
    await blockDomain(context, { domain });
    return empty();
  },
});

export const deleteDomainBlock = endpoint({
  ...change,
  method: 'DELETE',
  parameters,
  summary: 'Shows a domain again.',
  answer: EmptyEntity,
  async handler(context, { domain }) {
    await unblockDomain(context, { domain });
    return empty();
  },
});

export const domainBlockEndpoints = [getDomainBlocks, postDomainBlock, deleteDomainBlock];
