/** GET /api/v1/statuses/:id */

import { z } from 'zod';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { refreshQuoteWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
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
  summary: 'Returns a status, if the viewer may see it.',
  answer: StatusEntity,
  handler({ services, caller, grant }, parameters) {
    const shown = shownStatus(services, parameters.id, grant?.accountId);
    const record = shown.parts?.quote === undefined ? undefined : findStatusRecord(services.snapshots, parameters.id);
    if (grant !== undefined && record !== undefined) refreshQuoteWhenOld(services, record, caller);
    return jsonBytes(services.answers.status(shown));
  },
});
