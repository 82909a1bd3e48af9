/** GET /api/v1/timelines/home (specification 4.3; 206 while a home is being rebuilt). */
import { z } from 'zod';
import { bytes, jsonContentType } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import type { Services } from '../../services.ts';

const parameters = z.object(pageParameters(20, 40));

export const homeTimeline = endpoint<Services, 'user', typeof parameters>({
  method: 'GET',
  path: '/api/v1/timelines/home',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Statuses of the user and of the accounts that the user follows, newest first.',
  handler({ services, grant, request }, { max_id: maxId, since_id: sinceId, min_id: minId, limit }) {
    const page = services.feeds.home(grant.accountId, { maxId, sinceId, minId, limit });
    const body = services.statusPages.page(page.ids, grant.accountId, { hideMuted: true });
    const headers = pageHeaders(
      request,
      { limit, newest: page.ids[0], oldest: page.ids.at(-1), full: page.ids.length === limit },
      'min_id',
    );
    return bytes(body, { contentType: jsonContentType, status: page.complete ? 200 : 206, headers });
  },
});
