/** Answers made of statuses: one, or a page of them, as one viewer sees them. */
import {
  findVisibleStatus,
  marksOf,
  type StatusView,
  viewerOf,
} from '../../actors/account/statuses/statuses.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { statusEntity, withMarks } from '../entities/status.ts';

export function viewerOfGrant(services: Services, accountId: Id | undefined): Viewer {
  return viewerOf(services.snapshots, accountId, services.now());
}

/** The entity of a status that was read, with the viewer's marks. */
export function renderStatus(services: Services, view: StatusView, viewerId: Id | undefined): Record<string, unknown> {
  const entity = statusEntity(view, services.addresses);
  if (view.reblog !== undefined) mark(services, entity.reblog as Record<string, unknown>, view.reblog, viewerId);
  return mark(services, entity, view, viewerId);
}

function mark(services: Services, entity: Record<string, unknown>, view: StatusView, viewerId: Id | undefined) {
  // A reblog is favourited and reblogged through its original.
  const subject = view.status.reblogOfId ?? view.status.id;
  const marks = viewerId === undefined ? undefined : marksOf(services.snapshots, viewerId, subject);
  return withMarks(entity, marks, view.status.accountId === viewerId && view.reblog === undefined);
}

/** Throws notFound for a status that does not exist or that the viewer may not see. */
export function visibleStatus(services: Services, statusId: Id, viewer: Viewer): StatusView {
  const view = findVisibleStatus(services.snapshots, statusId, viewer);
  if (view === undefined) throw new Failure('notFound');
  return view;
}
