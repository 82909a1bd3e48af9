/**
 * The status that an interaction is about. A client may name a reblog; it means the original. Somebody who favourited or
 * reblogged a status may take that back also when the status is no longer shown to them.
 */
import { hasFavourited, hasReblogged } from '../../actors/account/interactions/interactions.queries.ts';
import { findStatus, type StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { destinationOf } from '../destinations.ts';
import { visibleStatus } from './visible-status.ts';

/** Throws notFound. */
export function visibleOriginal(services: Services, statusId: Id, viewerId: Id | undefined): StatusView {
  const view = visibleStatus(services, statusId, viewerId);
  return view.reblog ?? view;
}

const ties = { favourited: hasFavourited, reblogged: hasReblogged };

/** Throws notFound for a status that the viewer neither sees nor has favourited or reblogged. */
export function tiedOriginal(services: Services, statusId: Id, viewerId: Id, tie: keyof typeof ties): StatusView {
  const view = findStatus(services.snapshots, statusId);
  if (view === undefined) throw new Failure('notFound');
  const original = view.reblog ?? view;
  if (ties[tie](services.snapshots, viewerId, original.status.id)) return original;
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
