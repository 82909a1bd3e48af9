/** The domains that the user hides (specification 4.10, 6.2). */
import { z } from 'zod';
import { domainBlocksOf } from '../../../actors/account/domain-blocks/domain-blocks.queries.ts';
import { blockDomain, unblockDomain } from '../../../operations/relationships/block-domain.ts';
import { text as anyText, EmptyEntity } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf, pageAnswer } from '../accounts/answers.ts';

const getDomainBlocks = endpoint({
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

const changes = [
  { method: 'POST', operation: blockDomain, summary: 'Hides a domain, and ends follows from and to it.' },
  { method: 'DELETE', operation: unblockDomain, summary: 'Shows a domain again.' },
] as const;

export const domainBlockEndpoints = [
  getDomainBlocks,
  ...changes.map(({ method, operation, summary }) =>
    endpoint({
      method,
      path: '/api/v1/domain_blocks',
      authentication: 'user',
      scopes: ['write:blocks'],
      parameters: z.object({ domain: required(text) }),
      summary,
      answer: EmptyEntity,
      async handler(context, { domain }) {
        await operation(context, { domain });
        return json({});
      },
    }),
  ),
];
