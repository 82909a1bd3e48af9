/** GET /api/v1/instance/domain_blocks: the servers that this one suspends or silences, unless staff have switched the list off. */
import { z } from 'zod';
import { allDomainBlocks } from '../../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../../actors/instance/domains/domains.records.ts';
import { obfuscated } from '../../../actors/policy/domains.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
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
  handler({ services }) {
    if (!settingsOf(services).publishDomainBlocks) throw new Failure('notFound');
    const blocks = [...allDomainBlocks(services.snapshots)].filter(({ severity }) => severity !== 'noop');
    return json(blocks.sort((one, other) => (one.domain < other.domain ? -1 : 1)).map(domainBlockEntity));
  },
});

function domainBlockEntity({ domain, severity, obfuscate, publicComment }: DomainBlock) {
  return {
    domain: obfuscate ? obfuscated(domain) : domain,
    digest: digestOfDomain(domain),
    severity,
    ...(publicComment !== undefined && { comment: publicComment }),
  };
}
