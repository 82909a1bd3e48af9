/** GET /api/v1/accounts/:id/following (specification 4.2: kept from others when the owner hides the lists). */
import { z } from 'zod';
import { followedBy, hidesLists } from '../../../actors/account/relationships.queries.ts';
import { json } from '../../http/answers.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';
import { viewerOfGrant } from '../status-answers.ts';
import { accountPageAnswer, boundsOf, knownAccount, refuseSuspended } from './answers.ts';

const parameters = z.object({ id, ...pageParameters(40, 80) });

export const getFollowing = endpoint<Services, 'none', typeof parameters>({
  method: 'GET',
  path: '/api/v1/accounts/:id/following',
  authentication: 'none',
  parameters,
  summary: 'Whom an account follows, latest first.',
  handler(context, { id: accountId, ...page }) {
    const { services, grant } = context;
    const account = knownAccount(services, accountId);
    refuseSuspended(context, account);
    const viewer = viewerOfGrant(services, grant?.accountId);
    if (hidesLists(account.profile, viewer)) return json([]);
    return accountPageAnswer(context, followedBy(services.snapshots, accountId, viewer, boundsOf(page)), page.limit);
  },
});
