/** POST /api/v1/follow_requests/:account_id/reject (specification section 3). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { hasRequested } from '../../../actors/account/relationships/relationships.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changeRelationship } from './answers.ts';

const parameters = z.object({ account_id: id });

export const rejectFollowRequest = endpoint({
  method: 'POST',
  path: '/api/v1/follow_requests/:account_id/reject',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Refuses somebody who asked to follow.',
  async handler(context, { account_id: requesterId }) {
    const { services, grant } = context;
    if (!hasRequested(services.snapshots, grant.accountId, requesterId)) throw new Failure('notFound');
    return changeRelationship(context, requesterId, (ownId, requesterDestination) =>
      Account.rejectFollow.to(ownId, { requesterId, requesterDestination }),
    );
  },
});
