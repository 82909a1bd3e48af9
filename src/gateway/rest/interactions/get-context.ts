/** GET /api/v1/statuses/:id/context (specification 4.3: ancestors and descendants, without a small limit). */

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { StatusView } from '../../../actors/account/statuses/statuses.queries.ts';
import { readThread, type Thread } from '../../../actors/account/statuses/threads.queries.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import type { Id } from '../../../runtime/ids.ts';
import { readingLimits } from '../../../runtime/limits.ts';
import type { Services } from '../../../services/services.ts';
import { ContextEntity } from '../../entities/status-schema.ts';
import { type Answer, json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus, viewerOfGrant } from '../status-answers.ts';

const parameters = z.object({ id });

export const getContext = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters,
  summary: 'What a status answers, from the root down, and what answers it, depth first.',
  answer: ContextEntity,
  handler({ services, grant }, given) {
    const viewerId = grant?.accountId;
    const { status } = visibleOriginal(services, given.id, viewerId);
    const steps = readThread(services.snapshots, status, remembered(viewerOfGrant(services, viewerId)));
    const first = steps.next();
    return first.done ? answerAtOnce(services, first.value, viewerId) : answerInSlices(services, steps, viewerId);
  },
});

function answerAtOnce(services: Services, thread: Thread, viewerId: Id | undefined): Answer {
  const render = (view: StatusView) => renderStatus(services, view, viewerId);
  return json({ ancestors: thread.ancestors.map(render), descendants: thread.descendants.map(render) });
}

/** A long thread lets other requests in between. */
async function answerInSlices(
  services: Services,
  steps: Generator<undefined, Thread>,
  viewerId: Id | undefined,
): Promise<Answer> {
  for (;;) {
    await setImmediate();
    const step = steps.next();
    if (!step.done) continue;
    const ancestors = await renderInSlices(services, step.value.ancestors, viewerId);
    return json({ ancestors, descendants: await renderInSlices(services, step.value.descendants, viewerId) });
  }
}

async function renderInSlices(services: Services, views: readonly StatusView[], viewerId: Id | undefined) {
  const rendered: Record<string, unknown>[] = [];
  for (const view of views) {
    rendered.push(renderStatus(services, view, viewerId));
    if (rendered.length % readingLimits.sliceStatuses === 0) await setImmediate();
  }
  return rendered;
}
