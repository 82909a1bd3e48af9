/** DELETE /api/v1/statuses/:id (specification 5: a user can only delete their own statuses). */

import { z } from 'zod';
import { deleteStatus } from '../../../operations/statuses/delete-status.ts';
import { ownStatus } from '../../../operations/statuses/own-status.ts';
import { DeletedStatusEntity } from '../../entities/status-schema.ts';
import { boolean, id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes, shownStatus } from '../status-answers.ts';

export const removeStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id, delete_media: boolean }),
  summary: 'Deletes a status of the user and returns it with its source text, for redrafting.',
  answer: DeletedStatusEntity,
  async handler(context, { id: statusId, delete_media: removesMedia }) {
    const { services, grant } = context;
    const view = ownStatus(services, statusId, grant.accountId);
    const entity = services.answers.status(shownStatus(services, statusId, grant.accountId));
    const text = `,"text":${JSON.stringify(view.status.text)}}`;
    const answer = Buffer.concat([entity.subarray(0, -1), Buffer.from(text)]);
    await deleteStatus(context, { statusId, removesMedia });
    return jsonBytes(answer);
  },
});
