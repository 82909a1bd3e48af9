/** GET /api/v1/timelines/link (behaviour of the Mastodon API: only of links that trend, otherwise 404). */

import { z } from 'zod';
import { isTrendingLink } from '../../../operations/trends/trending-links.ts';
import { Failure } from '../../../runtime/errors.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { json } from '../../http/answers.ts';
import { pageParameters, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerStatusPage } from '../status-answers.ts';
import { readOrigin } from './timeline-page.ts';

const parameters = z.object({ url: text, ...pageParameters(20, 40) });

export const linkTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/link',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Lists public statuses with a link that trends, newest first.',
  answer: z.array(StatusEntity),
  async handler(context, given) {
    const origin = readOrigin(context, 'topic', 'all');
    const page = given.url === undefined ? undefined : URL.parse(given.url)?.href;
    if (page === undefined || !(await isTrendingLink(context, { url: page }))) throw new Failure('notFound');
    if (origin === undefined) return json([]);
    const { presenter, timelines } = context.services;
    return answerStatusPage(context, given, 'public', (bounds, show) =>
      timelines.link(page, origin, presenter.viewer(context.grant?.accountId), bounds, show),
    );
  },
});
