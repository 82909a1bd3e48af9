/** POST /api/v1/statuses/:id/unreblog (specification 2.6: the answer says `reblogged: false`). */

import { z } from 'zod';
import { unreblogStatus } from '../../../operations/interactions/unreblog-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedStatusAnswer } from '../status-answers.ts';

const parameters = z.object({ id });

export const postUnreblog = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/unreblog',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: "Deletes the user's reblog of a status and answers the original.",
  answer: UserStatusEntity,
  async handler(context, { id: statusId }) {
    const { services, grant } = context;
    const original = await unreblogStatus(context, { statusId });
    return changedStatusAnswer(services, original.status.id, grant.accountId, 'takenBack');
  },
});
