/**
 * Notification requests as their owner sees them: without those of accounts that are suspended, or hidden by a block, a
 * mute or a domain block.
 */

import { notificationRequestLimits } from '../../actors/account/notifications/limits.ts';
import {
  chooseNotificationRequests,
  findNotificationRequest,
} from '../../actors/account/notifications/notification-requests.queries.ts';
import type { NotificationRequest } from '../../actors/account/notifications/notification-requests.records.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { CachedAccount, EncodedForms } from './cached-status.ts';
import type { NotificationPresenter } from './notifications.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';

export interface ShownNotificationRequest<Forms extends EncodedForms> {
  readonly id: Id;
  readonly request: NotificationRequest;
  readonly from: CachedAccount<Forms>;
  /** Undefined where the owner may not see it any more. */
  readonly lastStatus: ShownStatus<Forms> | undefined;
}

export interface PendingNotifications {
  readonly requests: number;
  readonly notifications: number;
}

const { meaningfulCount } = notificationRequestLimits;

/** Above the bound the exact number makes no difference. */
export function meaningful(count: number): number {
  return Math.min(count, meaningfulCount);
}

export class NotificationRequestPresenter<Forms extends EncodedForms> {
  private readonly services: Pick<Services, 'snapshots'>;
  private readonly statuses: Presenter<Forms>;
  private readonly notifications: NotificationPresenter<Forms>;

  constructor(
    services: Pick<Services, 'snapshots'>,
    statuses: Presenter<Forms>,
    notifications: NotificationPresenter<Forms>,
  ) {
    this.services = services;
    this.statuses = statuses;
    this.notifications = notifications;
  }

  page(accountId: Id, bounds: PageBounds): Page<ShownNotificationRequest<Forms>> {
    return chooseNotificationRequests(this.services.snapshots, accountId, bounds, (id, request) =>
      this.show(accountId, id, request),
    );
  }

  /** Undefined for an unknown request, or one not shown to the account. */
  one(accountId: Id, requestId: Id): ShownNotificationRequest<Forms> | undefined {
    const request = findNotificationRequest(this.services.snapshots, accountId, requestId);
    return request === undefined ? undefined : this.show(accountId, requestId, request);
  }

  /** How many are pending, counted up to a bound. */
  pending(accountId: Id): PendingNotifications {
    const bounds = { limit: meaningfulCount };
    const { items } = chooseNotificationRequests(this.services.snapshots, accountId, bounds, (_id, request) =>
      this.notifications.sender(accountId, request.fromId) === undefined ? undefined : meaningful(request.mentions),
    );
    return { requests: items.length, notifications: items.reduce((sum, count) => sum + count, 0) };
  }

  private show(accountId: Id, id: Id, request: NotificationRequest): ShownNotificationRequest<Forms> | undefined {
    const from = this.notifications.sender(accountId, request.fromId);
    if (from === undefined) return undefined;
    const { lastStatusId } = request;
    const lastStatus =
      lastStatusId === undefined ? undefined : this.statuses.one(lastStatusId, accountId, 'notification');
    return { id, request, from, lastStatus };
  }
}
