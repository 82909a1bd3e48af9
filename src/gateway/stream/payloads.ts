/** The payloads of streaming events, from what is stored now. */
import type { StatusFacts } from '../../actors/account/account.events.ts';
import { findNotification } from '../../actors/account/notifications.queries.ts';
import { findStatus } from '../../actors/account/statuses.queries.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { notificationEntity } from '../rest/entities/notification.ts';
import { statusEntity, withMarks } from '../rest/entities/status.ts';
import { renderStatus, viewerOfGrant } from '../rest/status-answers.ts';
import type { Services } from '../services.ts';

const noMarks = { favourited: false, reblogged: false };

/** A new status as everybody sees it: nobody has favourited it yet. Undefined when it is gone already. */
export function publishedPayload(services: Services, facts: StatusFacts): string | undefined {
  const view = findStatus(services.snapshots, facts.id);
  if (view === undefined) return undefined;
  const entity = statusEntity(view, services.addresses);
  if (entity.reblog !== null) withMarks(entity.reblog as Record<string, unknown>, noMarks, false);
  return JSON.stringify(withMarks(entity, noMarks, false));
}

/** A status as one viewer sees it, for edits and for reblogs of what the viewer may have marked. */
export function statusPayload(services: Services, statusId: Id, viewerId: Id): string | undefined {
  const view = findStatus(services.snapshots, statusId);
  if (view === undefined || !maySee(view.status, viewerOfGrant(services, viewerId))) return undefined;
  return JSON.stringify(renderStatus(services, view, viewerId));
}

export function notificationPayload(services: Services, accountId: Id, notificationId: Id): string | undefined {
  const viewer = { ...viewerOfGrant(services, accountId), accountId };
  const view = findNotification(services.snapshots, viewer, notificationId, services.now());
  if (view === undefined) return undefined;
  const status = view.status === undefined ? undefined : renderStatus(services, view.status, accountId);
  return JSON.stringify(notificationEntity(view, status, services.addresses));
}
