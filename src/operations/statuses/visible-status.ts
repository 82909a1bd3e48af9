/** The status that an operation is about, if its caller may see it. */

import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findVisibleStatus, type StatusView } from '../../actors/account/status-views.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

type Reading = Pick<Services, 'snapshots' | 'now'>;

export function viewerFor({ snapshots, now }: Reading, accountId: Id | undefined): Viewer {
  return viewerOf(snapshots, accountId, now());
}

/** Throws Failure notFound for a status that does not exist or that the viewer may not see. */
export function visibleStatus(services: Reading, statusId: Id, viewerId: Id | undefined): StatusView {
  const view = findVisibleStatus(services.snapshots, statusId, viewerFor(services, viewerId));
  if (view === undefined) throw new Failure('notFound');
  return view;
}
