/** POST /api/v1/statuses/:id/favourite */

import { z } from 'zod';
import { favouriteStatus } from '../../../operations/interactions/favourite-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedStatusAnswer } from '../status-answers.ts';

const parameters = z.object({ id });

export const postFavourite = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/favourite',
  authentication: 'user',
  scopes: ['write:favourites'],
  parameters,
  summary: 'Adds a status to the favourites of the user.',
  answer: UserStatusEntity,
  async handler(context, given) {
    const { services, grant } = context;
    const { statusId } = await favouriteStatus(context, { statusId: given.id });
    return changedStatusAnswer(services, statusId, grant.accountId);
  },
});
