/** GET /api/v1/timelines/home (specification 4.3; 206 while a home is being rebuilt). */
import { z } from 'zod';
import { StatusEntity } from '../../entities/status-schema.ts';
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
  handler: (context, given) => answerFeed(context, given),
});
