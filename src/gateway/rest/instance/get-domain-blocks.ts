/** GET /api/v1/instance/domain_blocks: the servers that this one suspends or silences, for those to whom staff show them. */
import { z } from 'zod';
import { allDomainBlocks } from '../../../actors/instance/domains/domains.queries.ts';
import type { DomainBlock } from '../../../actors/instance/domains/domains.records.ts';
import type { Audience } from '../../../actors/instance/instance.messages.ts';
import { obfuscated } from '../../../actors/policy/domains.ts';
import type { Caller } from '../../../operations/caller.ts';
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
  handler({ services, caller }) {
    const { domainBlocksFor, domainBlockReasonsFor } = settingsOf(services);
    if (!isFor(domainBlocksFor, caller)) throw new Failure('notFound');
    const showsReasons = isFor(domainBlockReasonsFor, caller);
    const blocks = [...allDomainBlocks(services.snapshots)].filter(({ severity }) => severity !== 'noop');
    return json(
      blocks
        .sort((one, other) => (one.domain < other.domain ? -1 : 1))
        .map((block) => domainBlockEntity(block, showsReasons)),
    );
  },
});

function isFor(audience: Audience, { kind }: Caller): boolean {
  return audience === 'all' || (audience === 'users' && kind === 'account');
}

function domainBlockEntity({ domain, severity, obfuscate, publicComment }: DomainBlock, showsReasons: boolean) {
  return {
    domain: obfuscate ? obfuscated(domain) : domain,
    digest: digestOfDomain(domain),
    severity,
    ...(showsReasons && publicComment !== undefined && { comment: publicComment }),
  };
}
