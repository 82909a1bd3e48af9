/** The status with the poll that an operation is about, if the viewer may see it. */
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { visibleOriginal } from '../statuses/originals.ts';

/** Throws Failure notFound for a poll that does not exist or that the viewer may not see (specification 5). */
export function visiblePoll(services: Services, pollId: Id, viewerId: Id | undefined): StatusView {
  const view = visibleOriginal(services, pollId, viewerId);
  if (view.status.poll === undefined) throw new Failure('notFound');
  return view;
}
