/** GET /api/v1/timelines/home (specification 4.3; 206 while a home is being rebuilt). */
import { z } from 'zod';
import type { Page } from '../../../actors/pages.ts';
import type { HomePage } from '../../../services/feeds.ts';
import type { EncodableStatus } from '../../entities/encoded-status.ts';
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
  summary: 'Statuses of the user, and of the accounts and with the tags that the user follows, newest first.',
  answer: z.array(StatusEntity),
  handler({ services, grant, request }, given) {
    const { limit } = given;
    let complete = true;
    const pageOf = ({ ids, complete: isComplete }: HomePage): Page<EncodableStatus> => {
      complete &&= isComplete;
      const items = services.presenter.page(ids, grant.accountId, 'home');
      return { items, newest: ids[0], oldest: ids.at(-1), full: ids.length === limit };
    };
    return answerFilledPage(
      boundsOf(given),
      (bounds) => {
        const home = services.homeTimeline.page(grant.accountId, bounds);
        return home instanceof Promise ? home.then(pageOf) : pageOf(home);
      },
      (page) =>
        bytes(services.answers.list(page.items), {
          contentType: jsonContentType,
          status: complete ? 200 : 206,
          headers: pageHeaders(request, page, limit, 'min_id'),
        }),
    );
  },
});
