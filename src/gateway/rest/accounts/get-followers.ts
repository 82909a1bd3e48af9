/** GET /api/v1/accounts/:id/followers (specification 4.2). */
import { followersOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { endpoint } from '../../route.ts';
import { answerFollowList, followListParameters } from './follow-lists.ts';

export const getFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/followers',
  authentication: 'none',
  parameters: followListParameters,
  summary: 'Who follows an account, latest first.',
  handler: (context, given) => answerFollowList(context, given, followersOf),
});
