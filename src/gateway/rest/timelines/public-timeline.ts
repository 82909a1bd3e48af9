/** GET /api/v1/timelines/public (specification 4.3: accepts `only_media`). */

import { z } from 'zod';
import { StatusEntity } from '../../entities/status-schema.ts';
import { endpoint } from '../../route.ts';
import { answerTimeline, timelineParameters } from './timeline-page.ts';

const parameters = z.object(timelineParameters);

export const publicTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/public',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'Lists public statuses of this server and of known servers, newest first.',
  answer: z.array(StatusEntity),
  handler: (context, given) =>
    answerTimeline(context, given, 'public', (choice, viewer, bounds, show) =>
      context.services.timelines.public(choice, viewer, bounds, show),
    ),
});
