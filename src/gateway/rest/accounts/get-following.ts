/** GET /api/v1/accounts/:id/following (specification 4.2). */
import { z } from 'zod';
import { followedBy } from '../../../actors/account/relationships/relationships.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { answerFollowList, followListParameters } from './follow-lists.ts';

export const getFollowing = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/following',
  authentication: 'optional',
  parameters: followListParameters,
  summary: 'Lists the accounts that an account follows, latest first.',
  answer: z.array(AccountEntity),
  handler: (context, given) => answerFollowList(context, given, followedBy),
});
