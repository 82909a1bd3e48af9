/** POST /api/v1/statuses/:id/favourite */

import { z } from 'zod';
import { favouriteStatus } from '../../../operations/interactions/favourite-status.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus } from '../status-answers.ts';

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
    return json(renderStatus(services, visibleOriginal(services, statusId, grant.accountId), grant.accountId));
  },
});
