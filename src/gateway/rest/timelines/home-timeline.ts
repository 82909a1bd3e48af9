/** GET /api/v1/timelines/home (specification 4.3; 206 while a home is being rebuilt). */
import { z } from 'zod';
import type { HomePage } from '../../../services/feeds.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { bytes, jsonContentType } from '../../http/answers.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerFeed } from './feed-page.ts';

const parameters = z.object(pageParameters(20, 40));

export const homeTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/home',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Lists statuses of the user, of followed accounts and with followed tags, newest first.',
  answer: z.array(StatusEntity),
  handler(context, given) {
    const { services, grant, request } = context;
    const { limit } = given;
    let complete = true;
    const noted = (home: HomePage) => {
      complete &&= home.complete;
      return home;
    };
    return answerFeed(
      context,
      given,
      (bounds) => {
        const home = services.homeTimeline.page(grant.accountId, bounds);
        return home instanceof Promise ? home.then(noted) : noted(home);
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
