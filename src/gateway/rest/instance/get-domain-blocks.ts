/** GET /api/v1/instance/domain_blocks: the servers that this one suspends or silences, for those to whom staff show them. */
import { z } from 'zod';
import { publishedBlocks } from '../../../operations/instance/published-blocks.ts';
import { Failure } from '../../../runtime/errors.ts';
import { digestOfDomain } from '../../entities/admin/domains.ts';
import { DomainBlockEntity } from '../../entities/instance-schema.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/instance/domain_blocks',
  authentication: 'optional',
  summary: 'Lists the servers that this one blocks.',
  answer: z.array(DomainBlockEntity),
  handler({ services, caller }) {
    const blocks = publishedBlocks(services, caller.kind === 'account');
    if (blocks === undefined) throw new Failure('notFound');
    return json(
      blocks.map(({ domain, shownDomain, severity, reason }) => ({
        domain: shownDomain,
        digest: digestOfDomain(domain),
        severity,
        ...(reason !== undefined && { comment: reason }),
      })),
    );
  },
});
