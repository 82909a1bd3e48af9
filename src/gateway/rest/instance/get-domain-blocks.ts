/** GET /api/v1/instance/domain_blocks: the servers that this one blocks, unless staff have switched the list off. */
import { z } from 'zod';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { Failure } from '../../../runtime/errors.ts';
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
    // Staff cannot block servers yet: accounts block them for themselves.
    return json([]);
  },
});
