/** GET /api/v1/timelines/home (specification 4.3; 206 while a home is being rebuilt). */
import { z } from 'zod';
import type { Page } from '../../../actors/pages.ts';
import type { HomePage } from '../../../services/feeds.ts';
import { emptyPage } from '../../entities/encoded-answers.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { bytes, jsonContentType } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';

const parameters = z.object(pageParameters(20, 40));

export const homeTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/home',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Statuses of the user and of the accounts that the user follows, newest first.',
  answer: z.array(StatusEntity),
  handler({ services, grant, request }, given) {
    const { limit } = given;
    let complete = true;
    const pageOf = (home: HomePage, later: boolean): Page<Uint8Array> => {
      complete &&= home.complete;
      const { ids } = home;
      const body = services.answers.statuses(ids, grant.accountId, 'home');
      const items = body === emptyPage ? [] : [later ? Uint8Array.from(body) : body];
      return { items, newest: ids[0], oldest: ids.at(-1), full: ids.length === limit };
    };
    return answerFilledPage(
      boundsOf(given),
      (bounds, later) => {
        const home = services.feeds.home(grant.accountId, bounds);
        return home instanceof Promise ? home.then((merged) => pageOf(merged, true)) : pageOf(home, later);
      },
      (page) =>
        bytes(page.items[0] ?? emptyPage, {
          contentType: jsonContentType,
          status: complete ? 200 : 206,
          headers: pageHeaders(request, page, limit, 'min_id'),
        }),
    );
  },
});
