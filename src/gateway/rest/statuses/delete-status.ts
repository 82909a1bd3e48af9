/** DELETE /api/v1/statuses/:id (specification 5: a user can only delete their own statuses). */

import { z } from 'zod';
import { deleteStatus } from '../../../operations/statuses/delete-status.ts';
import { ownStatus } from '../../../operations/statuses/own-status.ts';
import { DeletedStatusEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus } from '../status-answers.ts';

export const removeStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id }),
  summary: 'Deletes a status of the user and answers it with its source text, for drafting it again.',
  answer: DeletedStatusEntity,
  async handler(context, { id: statusId }) {
    const { services, grant } = context;
    const view = ownStatus(services, statusId, grant.accountId);
    const answer = { ...renderStatus(services, view, grant.accountId), text: view.status.text };
    await deleteStatus(context, { statusId });
    return json(answer);
  },
});
