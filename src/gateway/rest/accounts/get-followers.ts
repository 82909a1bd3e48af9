/** GET /api/v1/accounts/:id/followers (specification 4.2). */
import { z } from 'zod';
import { followersOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { answerFollowList, followListParameters } from './follow-lists.ts';

export const getFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/followers',
  authentication: 'optional',
  parameters: followListParameters,
  summary: 'Lists the followers of an account, latest first.',
  answer: z.array(AccountEntity),
  handler: (context, given) => answerFollowList(context, given, followersOf),
});
