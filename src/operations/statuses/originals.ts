/**
 * The status of an interaction: for a reblog that a client gives, its original. An interaction (a favourite, a reblog
 * …) may be undone even when the status is no longer visible to the account.
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

/** Throws notFound for a status that the viewer neither sees nor has interacted with, by this field of viewer state. */
export function tiedOriginal(services: Services, statusId: Id, viewerId: Id, tie: ViewerStateField): StatusView {
  const view = findStatus(services.snapshots, statusId);
  if (view === undefined) throw new Failure('notFound');
  const original = view.reblog ?? view;
  if (readField(services.snapshots, viewerId, original.status.id, tie) === true) return original;
  return visibleOriginal(services, statusId, viewerId);
}

/** The original as the acting account passes it to actors. */
export function referenceTo({ status, author }: StatusView) {
  return {
    statusId: status.id,
    statusUri: status.uri,
    authorId: status.accountId,
    authorDestination: destinationOf(author.profile),
  };
}
