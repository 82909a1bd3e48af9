/** The payloads of streaming events, from what is stored now. */

import { findNotification } from '../../actors/account/notifications/notifications.queries.ts';
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { findStatus, marksOf, type StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { notificationEntity } from '../entities/notification.ts';
import { statusEntity, withMarks } from '../entities/status.ts';
import { renderStatus, viewerOfGrant } from '../rest/status-answers.ts';

const noMarks = { favourited: false, reblogged: false };

/** A new status as everybody sees it: nobody has favourited it yet. Undefined when it is gone already. */
export function publishedPayload(services: Services, facts: StatusFacts): string | undefined {
  const view = findStatus(services.snapshots, facts.id);
  if (view === undefined) return undefined;
  const entity = statusEntity(view, services.addresses);
  if (entity.reblog !== null) withMarks(entity.reblog as Record<string, unknown>, noMarks, false);
  return JSON.stringify(withMarks(entity, noMarks, false));
}

/** A status as one viewer sees it. */
export function statusPayload(services: Services, statusId: Id, viewerId: Id): string | undefined {
  return new PersonalPayloads(services, statusId).of(viewerId);
}

/**
 * A status as many viewers see it, for edits and for reblogs of what a viewer may have marked. Most have not, and get the
 * same payload.
 */
export class PersonalPayloads {
  private readonly services: Services;
  private readonly view: StatusView | undefined;
  private readonly byMarks = new Map<string, string>();

  constructor(services: Services, statusId: Id) {
    this.services = services;
    this.view = findStatus(services.snapshots, statusId);
  }

  /** Undefined when the status is gone, or the viewer may not see it. */
  of(viewerId: Id): string | undefined {
    const services = this.services;
    const view = this.view;
    if (view === undefined || !maySee(view.status, viewerOfGrant(services, viewerId))) return undefined;
    const { favourited, reblogged } = marksOf(services.snapshots, viewerId, view.status.reblogOfId ?? view.status.id);
    const isAuthor = view.status.accountId === viewerId;
    const isAuthorOfOriginal = view.reblog?.status.accountId === viewerId;
    const marks = `${favourited} ${reblogged} ${isAuthor} ${isAuthorOfOriginal}`;
    let payload = this.byMarks.get(marks);
    if (payload === undefined) {
      payload = JSON.stringify(renderStatus(services, view, viewerId));
      this.byMarks.set(marks, payload);
    }
    return payload;
  }
}

export function notificationPayload(services: Services, accountId: Id, notificationId: Id): string | undefined {
  const viewer = { ...viewerOfGrant(services, accountId), accountId };
  const view = findNotification(services.snapshots, viewer, notificationId, services.now());
  if (view === undefined) return undefined;
  const status = view.status === undefined ? undefined : renderStatus(services, view.status, accountId);
  return JSON.stringify(notificationEntity(view, status, services.addresses));
}
