/** GET /api/v1/statuses/:id */

import { z } from 'zod';
import { StatusEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes, shownStatus } from '../status-answers.ts';

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'One status, if the viewer may see it.',
  answer: StatusEntity,
  handler({ services, grant }, parameters) {
    return jsonBytes(services.answers.status(shownStatus(services, parameters.id, grant?.accountId)));
  },
});
