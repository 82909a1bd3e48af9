/** GET /api/v1/follow_requests */

import { z } from 'zod';
import { followRequestsOf } from '../../../actors/account/relationships/relationships.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage } from './answers.ts';

type ListedAccount = ReturnType<ReturnType<GatewayServices['presenter']['allAccounts']>>;

const parameters = z.object(pageParameters(40, 80));

/** Blocks have ended the requests that they concern. */
function unsuspended(account: ListedAccount | undefined): ListedAccount | undefined {
  return account?.isSuspended === true ? undefined : account;
}

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
    const { presenter, snapshots } = services;
    return answerAccountPage(context, page, (bounds) => {
      const all = presenter.allAccounts(grant.accountId);
      return followRequestsOf(snapshots, grant.accountId, (id) => unsuspended(all(id)), bounds);
    });
  },
});
