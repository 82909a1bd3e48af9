/** GET /api/v1/accounts/:id/followers (specification 4.2: kept from others when the owner hides the lists). */
import { z } from 'zod';
import { followersOf, hidesLists } from '../../../actors/account/relationships.queries.ts';
import { json } from '../../http/answers.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
import { viewerOfGrant } from '../status-answers.ts';
import { accountPageAnswer, boundsOf, knownAccount, refuseSuspended } from './answers.ts';

const parameters = z.object({ id, ...pageParameters(40, 80) });

export const getFollowers = endpoint<Services, 'none', typeof parameters>({
  method: 'GET',
  path: '/api/v1/accounts/:id/followers',
  authentication: 'none',
  parameters,
  summary: 'Who follows an account, latest first.',
  handler(context, { id: accountId, ...page }) {
    const { services, grant } = context;
    const account = knownAccount(services, accountId);
    refuseSuspended(context, account);
    const viewer = viewerOfGrant(services, grant?.accountId);
    if (hidesLists(account.profile, viewer)) return json([]);
    return accountPageAnswer(context, followersOf(services.snapshots, accountId, viewer, boundsOf(page)), page.limit);
  },
});
