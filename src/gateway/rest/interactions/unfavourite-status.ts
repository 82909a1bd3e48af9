/** POST /api/v1/statuses/:id/unfavourite (specification 2.6: the answer says `favourited: false`). */

import { z } from 'zod';
import { unfavouriteStatus } from '../../../operations/interactions/unfavourite-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedStatusAnswer } from '../status-answers.ts';

const parameters = z.object({ id });

export const postUnfavourite = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/unfavourite',
  authentication: 'user',
  scopes: ['write:favourites'],
  parameters,
  summary: 'Takes a status out of the favourites of the user.',
  answer: UserStatusEntity,
  async handler(context, { id: statusId }) {
    const { services, grant } = context;
    const original = await unfavouriteStatus(context, { statusId });
    return changedStatusAnswer(services, original.status.id, grant.accountId, 'takenBack');
  },
});
