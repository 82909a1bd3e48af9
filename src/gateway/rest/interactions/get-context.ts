/**
 * GET /api/v1/statuses/:id/context (specification 4.3: ancestors and descendants, without a low limit). While more of the
 * thread is fetched from other servers, the header Mastodon-Async-Refresh says so (behaviour of the Mastodon API).
 */
import { z } from 'zod';
import { fetchThreadWhenOld, type RunningThread } from '../../../federation/remote-objects/fetch-thread-when-old.ts';
import { ContextEntity } from '../../entities/status-schema.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes, lastingBytes, shownStatus } from '../status-answers.ts';

const parameters = z.object({ id });
/** After how long the client asks for the progress. */
const retrySeconds = 5;

export const getContext = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary:
    'Returns the thread around a status: ancestors from the root down; of the descendants replies of authors to themselves first.',
  answer: ContextEntity,
  handler({ services, grant, request, caller }, given) {
    const viewerId = grant?.accountId;
    const shown = shownStatus(services, given.id, viewerId);
    const { status, author } = shown.original ?? shown;
    const context = () => services.slices.run(services.answers.context(status, viewerId), request);
    if (viewerId !== undefined && author.domain !== undefined)
      return fetchThreadWhenOld(services, status.id, caller.cause).then((running) => {
        const body = context();
        const headers = headersOf(running);
        return body instanceof Promise ? body.then((whole) => jsonBytes(whole, headers)) : lastingBytes(body, headers);
      });
    const body = context();
    return body instanceof Promise ? body.then((whole) => jsonBytes(whole)) : jsonBytes(body);
  },
});

function headersOf(running: RunningThread | undefined): Readonly<Record<string, string>> | undefined {
  if (running === undefined) return undefined;
  const { statusId, stored } = running;
  return { 'Mastodon-Async-Refresh': `id="${statusId}", retry=${retrySeconds}, result_count=${stored}` };
}
