/**
 * The status that an interaction is about. A client may name a reblog; it means the original. What somebody did with a
 * status (favourited, reblogged it …) may be taken back also when the status is no longer shown to them.
 */

import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus, type StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { readField, type ViewerStateField } from '../presentation/viewer-state.ts';
import { visibleStatus } from './visible-status.ts';

/** Throws notFound. */
export function visibleOriginal(services: Services, statusId: Id, viewerId: Id | undefined): StatusView {
  const view = visibleStatus(services, statusId, viewerId);
  return view.reblog ?? view;
}

/** Throws notFound for a status that the viewer neither sees nor is tied to by this field of viewer state. */
export function tiedOriginal(services: Services, statusId: Id, viewerId: Id, tie: ViewerStateField): StatusView {
  const view = findStatus(services.snapshots, statusId);
  if (view === undefined) throw new Failure('notFound');
  const original = view.reblog ?? view;
  if (readField(services.snapshots, viewerId, original.status.id, tie) === true) return original;
  return visibleOriginal(services, statusId, viewerId);
}

/** How the account that takes something back names the status to actors. */
export function referenceTo({ status, author }: StatusView) {
  return {
    statusId: status.id,
    statusUri: status.uri,
    authorId: status.accountId,
    authorDestination: destinationOf(author.profile),
  };
}
