/** The endpoints of the user's domain blocks (specification 4.10, 6.2). */

import { z } from 'zod';
import { domainBlocksOf } from '../../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, previewDomainBlock, unblockDomain } from '../../../operations/relationships/block-domain.ts';
import { text as anyText, count, EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf, pageAnswer } from '../accounts/answers.ts';

export const getDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/domain_blocks',
  authentication: 'user',
  scopes: ['read:blocks'],
  parameters: z.object(pageParameters(100, 200)),
  summary: 'Lists the domains that the user blocks, latest first.',
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
  summary: 'Blocks a domain, which ends follows in both directions.',
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
  summary: 'Unblocks a domain.',
  answer: EmptyEntity,
  async handler(context, { domain }) {
    await unblockDomain(context, { domain });
    return empty();
  },
});

/** Applications ask before they offer to hide a domain; as in Mastodon, with the scope of who may hide it. */
const getDomainBlockPreview = endpoint({
  ...change,
  method: 'GET',
  path: '/api/v1/domain_blocks/preview',
  parameters,
  summary: 'Counts the follows between the user and a domain.',
  answer: z.object({ following_count: count, followers_count: count }),
  async handler(context, { domain }) {
    const { following, followers } = await previewDomainBlock(context, { domain });
    return json({ following_count: following, followers_count: followers });
  },
});

export const domainBlockEndpoints = [getDomainBlocks, postDomainBlock, deleteDomainBlock, getDomainBlockPreview];
