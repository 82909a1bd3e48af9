/** GET /api/v1/statuses/:id/history (behaviour of the Mastodon API): all that a status has said. */
import { z } from 'zod';
import { versionsOf } from '../../../actors/account/statuses/status-versions.queries.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import { statusEditEntity } from '../../entities/status-edit.ts';
import { StatusEditEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

export const getStatusHistory = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/history',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'What a status said first and after each of its edits, the oldest version first.',
  answer: z.array(StatusEditEntity),
  handler({ services, grant }, given) {
    const { status, author } = visibleOriginal(services, given.id, grant?.accountId);
    const versions = versionsOf(services.snapshots, status);
    return json(versions.map((version) => statusEditEntity(version, author, services.addresses)));
  },
});
