/**
 * Notifications as their owner is shown them. Blocks and mutes apply here as well as when a notification is made, so that
 * undoing one brings older notifications back; what is about a status that is gone, or no longer to be seen, is left out.
 */
import {
  chooseNotifications,
  findNotification,
  isSilenced,
  type NotificationChoice,
  storedNotifications,
} from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RangeQuery } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import type { Encoded, KnownAccount } from './known-status.ts';
import type { Presenter, ShownStatus } from './presenter.ts';

export interface ShownNotification<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly id: Id;
  readonly notification: Notification;
  readonly from: KnownAccount<AccountBody>;
  readonly status: ShownStatus<StatusBody, AccountBody, StateBody> | undefined;
}

export class NotificationPresenter<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly services: Pick<Services, 'snapshots' | 'now'>;
  private readonly statuses: Presenter<StatusBody, AccountBody, StateBody>;

  constructor(services: Pick<Services, 'snapshots' | 'now'>, statuses: Presenter<StatusBody, AccountBody, StateBody>) {
    this.services = services;
    this.statuses = statuses;
  }

  page(
    accountId: Id,
    choice: NotificationChoice,
    bounds: PageBounds,
  ): Page<ShownNotification<StatusBody, AccountBody, StateBody>> {
    return chooseNotifications(this.services.snapshots, accountId, choice, bounds, (id, notification) =>
      this.show(accountId, id, notification),
    );
  }

  /** Undefined for one that there is not, or that the account is not shown. */
  one(accountId: Id, notificationId: Id): ShownNotification<StatusBody, AccountBody, StateBody> | undefined {
    const notification = findNotification(this.services.snapshots, accountId, notificationId);
    return notification === undefined ? undefined : this.show(accountId, notificationId, notification);
  }

  /** Notifications as they are stored, whoever is shown them. */
  stored(accountId: Id, range: RangeQuery): Generator<readonly [Id, Notification]> {
    return storedNotifications(this.services.snapshots, accountId, range);
  }

  /** Undefined for one that the account is not shown. */
  show(
    accountId: Id,
    id: Id,
    notification: Notification,
  ): ShownNotification<StatusBody, AccountBody, StateBody> | undefined {
    const { accountId: fromId, statusId } = notification;
    const viewer = this.statuses.viewer(accountId);
    if (viewer.blocks(fromId) || (viewer.mutes(fromId) && this.isSilenced(accountId, fromId))) return undefined;
    const from = this.statuses.account(fromId);
    if (from === undefined || from.isSuspended || viewer.hidesDomain(from.domain)) return undefined;
    if (statusId === undefined) return { id, notification, from, status: undefined };
    const status = this.statuses.one(statusId, accountId, 'notification');
    return status === undefined ? undefined : { id, notification, from, status };
  }

  private isSilenced(accountId: Id, fromId: Id): boolean {
    return isSilenced(this.services.snapshots, accountId, fromId, this.services.now());
  }
}
