/** GET /api/v1/statuses/:id/context (specification 4.3: ancestors and descendants, without a low limit). */
import { z } from 'zod';
import { ContextEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes, shownStatus } from '../status-answers.ts';

const parameters = z.object({ id });

export const getContext = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary:
    'Returns the thread around a status: ancestors from the root down; of the descendants replies of authors to themselves first.',
  answer: ContextEntity,
  handler({ services, grant, request }, given) {
    const viewerId = grant?.accountId;
    const shown = shownStatus(services, given.id, viewerId);
    const { status } = shown.original ?? shown;
    const body = services.slices.run(services.answers.context(status, viewerId), request);
    return body instanceof Promise ? body.then((whole) => jsonBytes(whole)) : jsonBytes(body);
  },
});
