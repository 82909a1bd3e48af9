/** GET /api/v1/follow_requests */

import { z } from 'zod';
import { followRequestsOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage } from './answers.ts';

const parameters = z.object(pageParameters(40, 80));

export const getFollowRequests = endpoint({
  method: 'GET',
  path: '/api/v1/follow_requests',
  authentication: 'user',
  scopes: ['read:follows'],
  parameters,
  summary: 'Lists pending follow requests, latest first.',
  answer: z.array(AccountEntity),
  handler(context, page) {
    const { services, grant } = context;
    return answerAccountPage(context, page, (bounds) => followRequestsOf(services.snapshots, grant.accountId, bounds));
  },
});
