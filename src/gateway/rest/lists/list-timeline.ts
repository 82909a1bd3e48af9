/** GET /api/v1/timelines/list/:list_id (specification 4.5): the statuses of a list's members. */
import { z } from 'zod';
import { StatusEntity } from '../../entities/status-schema.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerFeed } from '../timelines/feed-page.ts';

export const listTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/list/:list_id',
  authentication: 'user',
  scopes: ['read:lists'],
  parameters: z.object({ list_id: id, ...pageParameters(20, 40) }),
  summary: "Lists the statuses of a list's members, newest first.",
  answer: z.array(StatusEntity),
  handler: (context, { list_id: listId, ...given }) => answerFeed(context, given, listId),
});
