/**
 * The status of an interaction: for a reblog that a client gives, its original. An interaction (a favourite, a reblog
 * …) may be undone even when the status is no longer visible to the account.
 */

import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus, findVisibleStatus, type StatusView } from '../../actors/account/status-views.queries.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { readField, type ViewerStateField } from '../presentation/viewer-state.ts';
import { permissionToReply } from './reply-permission.ts';
import { viewerFor } from './visible-status.ts';

/** Undefined for a status that the viewer may not see. */
export function findOriginal(services: Services, statusId: Id, viewerId: Id | undefined): StatusView | undefined {
  const view = findVisibleStatus(services.snapshots, statusId, viewerFor(services, viewerId));
  return view?.reblog ?? view;
}

/** The same; throws notFound. */
export function visibleOriginal(services: Services, statusId: Id, viewerId: Id | undefined): StatusView {
  const original = findOriginal(services, statusId, viewerId);
  if (original === undefined) throw new Failure('notFound');
  return original;
}

/** Throws notFound for a status that the author of the reply may not see, and validation for one that they may not answer. */
export function parentOfReply(services: Services, statusId: Id, authorId: Id): StatusView {
  const parent = findOriginal(services, statusId, authorId);
  if (parent === undefined)
    throw new Failure('notFound', {
      text: 'The post you are trying to reply to does not appear to exist',
      reason: 'parentMissing',
    });
  if (parent.status.heldReply !== undefined)
    throw validationFailure('This reply waits until the author of the post agrees', { reason: 'replyIsHeld' });
  if (permissionToReply(services, parent, authorId) === 'denied')
    throw validationFailure('The author of this post does not let you reply', { reason: 'mayNotReply' });
  return parent;
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
