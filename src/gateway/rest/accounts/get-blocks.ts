/** GET /api/v1/blocks (specification 4.2: paginated properly). */
import { z } from 'zod';
import { blocksOf } from '../../../actors/account/relationships.queries.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
import { accountPageAnswer, boundsOf } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getBlocks = endpoint<Services, 'user', typeof parameters>({
  method: 'GET',
  path: '/api/v1/blocks',
  authentication: 'user',
  scopes: ['read:blocks'],
  parameters,
  summary: 'The accounts that the user blocks, latest first.',
  handler(context, page) {
    const { services, grant } = context;
    return accountPageAnswer(context, blocksOf(services.snapshots, grant.accountId, boundsOf(page)), page.limit);
  },
});
