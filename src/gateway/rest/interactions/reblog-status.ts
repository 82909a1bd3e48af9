/** POST /api/v1/statuses/:id/reblog */

import { z } from 'zod';
import { reblogStatus } from '../../../operations/interactions/reblog-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { choice, id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changedStatusAnswer } from '../status-answers.ts';

const parameters = z.object({ id, visibility: choice(['public', 'unlisted', 'private']) });

export const postReblog = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/reblog',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Reblogs a status and returns the reblog; repeating returns the existing one.',
  answer: UserStatusEntity,
  async handler(context, { id: statusId, visibility }) {
    const { services, grant } = context;
    const { status } = await reblogStatus(context, { statusId, visibility });
    return changedStatusAnswer(services, status.id, grant.accountId);
  },
});
