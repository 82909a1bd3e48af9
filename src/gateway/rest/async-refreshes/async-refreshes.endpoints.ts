/**
 * GET /api/v1_alpha/async_refreshes/:id: the progress of work that an answer named in its Mastodon-Async-Refresh header.
 * Its id is that of the status whose thread is fetched.
 */
import { z } from 'zod';
import { threadProgress } from '../../../federation/remote-objects/fetch-thread-when-old.ts';
import { Failure } from '../../../runtime/errors.ts';
import { AsyncRefreshEntity } from '../../entities/async-refresh.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const getAsyncRefresh = endpoint({
  method: 'GET',
  path: '/api/v1_alpha/async_refreshes/:id',
  authentication: 'user',
  scopes: ['read'],
  parameters: z.object({ id }),
  summary: 'Returns how far the replies to a status are fetched, for the id of a Mastodon-Async-Refresh header.',
  answer: AsyncRefreshEntity,
  handler({ services }, given) {
    const progress = threadProgress(services, given.id);
    if (progress === undefined) throw new Failure('notFound');
    const status = progress.isRunning ? 'running' : 'finished';
    return json({ async_refresh: { id: given.id.toString(), status, result_count: progress.stored } });
  },
});

export const asyncRefreshEndpoints = [getAsyncRefresh];
