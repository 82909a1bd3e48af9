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
import type { Encoded, KnownAccount } from './known-status.ts';
import type { NotificationPresenter } from './notifications.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';

export interface ShownNotificationRequest<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly id: Id;
  readonly request: NotificationRequest;
  readonly from: KnownAccount<AccountBody>;
  /** Undefined where the owner may not see it any more. */
  readonly lastStatus: ShownStatus<StatusBody, AccountBody, StateBody> | undefined;
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

export class NotificationRequestPresenter<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly services: Pick<Services, 'snapshots'>;
  private readonly statuses: Presenter<StatusBody, AccountBody, StateBody>;
  private readonly notifications: NotificationPresenter<StatusBody, AccountBody, StateBody>;

  constructor(
    services: Pick<Services, 'snapshots'>,
    statuses: Presenter<StatusBody, AccountBody, StateBody>,
    notifications: NotificationPresenter<StatusBody, AccountBody, StateBody>,
  ) {
    this.services = services;
    this.statuses = statuses;
    this.notifications = notifications;
  }

  page(accountId: Id, bounds: PageBounds): Page<ShownNotificationRequest<StatusBody, AccountBody, StateBody>> {
    return chooseNotificationRequests(this.services.snapshots, accountId, bounds, (id, request) =>
      this.show(accountId, id, request),
    );
  }

  /** Undefined for an unknown request, or one not shown to the account. */
  one(accountId: Id, requestId: Id): ShownNotificationRequest<StatusBody, AccountBody, StateBody> | undefined {
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

  private show(
    accountId: Id,
    id: Id,
    request: NotificationRequest,
  ): ShownNotificationRequest<StatusBody, AccountBody, StateBody> | undefined {
    const from = this.notifications.sender(accountId, request.fromId);
    if (from === undefined) return undefined;
    const { lastStatusId } = request;
    const lastStatus =
      lastStatusId === undefined ? undefined : this.statuses.one(lastStatusId, accountId, 'notification');
    return { id, request, from, lastStatus };
  }
}
