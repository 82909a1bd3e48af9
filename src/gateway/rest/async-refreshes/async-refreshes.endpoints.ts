/**
 * GET /api/v1_alpha/async_refreshes/:id: the progress of work that an answer named in its Mastodon-Async-Refresh
 * header. This server answers only when work is complete and never sends that header, so every id is unknown.
 */
import { z } from 'zod';
import { Failure } from '../../../runtime/errors.ts';
import { endpoint } from '../../route.ts';

const getAsyncRefresh = endpoint({
  method: 'GET',
  path: '/api/v1_alpha/async_refreshes/:id',
  authentication: 'user',
  scopes: ['read'],
  parameters: z.object({ id: z.string() }),
  summary: 'Returns the progress of an asynchronous refresh; this server has none.',
  answer: z.never(),
  handler() {
    throw new Failure('notFound');
  },
});

export const asyncRefreshEndpoints = [getAsyncRefresh];
