/** Answers made of notifications, as their owner sees them. */
import type { NotificationView, NotifiedViewer } from '../../../actors/account/notifications/notifications.queries.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';
import { notificationEntity } from '../../entities/notification.ts';
import { renderStatus, viewerOfGrant } from '../status-answers.ts';

export function notifiedViewer(services: Services, accountId: Id): NotifiedViewer {
  return { ...remembered(viewerOfGrant(services, accountId)), accountId };
}

export function renderNotification(services: Services, view: NotificationView, viewerId: Id): Record<string, unknown> {
  const status = view.status === undefined ? undefined : renderStatus(services, view.status, viewerId);
  return notificationEntity(view, status, services.addresses);
}
