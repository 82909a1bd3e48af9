/** GET /api/v1/statuses/:id */

import { z } from 'zod';
import { Failure } from '../../../runtime/errors.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { bytes, jsonContentType } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'One status, if the viewer may see it.',
  answer: StatusEntity,
  handler({ services, grant }, parameters) {
    const body = services.answers.status(parameters.id, grant?.accountId);
    if (body === undefined) throw new Failure('notFound');
    return bytes(body, { contentType: jsonContentType });
  },
});
