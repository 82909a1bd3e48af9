/** GET /api/v1/statuses: several statuses by id, in the given order, without those that the viewer may not see. */
import { z } from 'zod';
import { StatusEntity } from '../../entities/status-schema.ts';
import { distinctIds, idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

/** More are refused (behaviour of the Mastodon API). */
const statusesMax = 20;

export const getStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/statuses',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id: idList }),
  summary: 'Returns several statuses by their ids, as far as the viewer may see them.',
  answer: z.array(StatusEntity),
  handler({ services, grant }, { id: statusIds = [] }) {
    const show = services.presenter.each(grant?.accountId, 'single');
    const shown = distinctIds(statusIds, statusesMax).flatMap((statusId) => show(statusId) ?? []);
    return jsonBytes(services.answers.list(shown));
  },
});
