/** GET /api/v1/favourites (behaviour of the Mastodon API: newest favourite first, opaque cursors). */
import { z } from 'zod';
import { chooseFavourites } from '../../../actors/account/interactions/interactions.queries.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerStatusPage } from '../status-answers.ts';

const parameters = z.object(pageParameters(20, 40));

export const getFavourites = endpoint({
  method: 'GET',
  path: '/api/v1/favourites',
  authentication: 'user',
  scopes: ['read:favourites'],
  parameters,
  summary: 'Lists the favourites of the user, latest first.',
  answer: z.array(UserStatusEntity),
  handler: (context, given) =>
    answerStatusPage(context, given, 'single', (bounds, show) =>
      chooseFavourites(context.services.snapshots, context.grant.accountId, bounds, show),
    ),
});
