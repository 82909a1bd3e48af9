/**
 * Notifications as their owner is shown them. Blocks and mutes apply here as well as when a notification is made, so that
 * undoing one brings older notifications back; what is about a status that is gone, or no longer to be seen, is left out.
 */
import {
  chooseNotifications,
  findNotification,
  isSilenced,
  type NotificationChoice,
  type StoredNotification,
  storedNotifications,
} from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { RangeQuery } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import type { Encoded, KnownAccount } from './known-status.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';

export interface ShownNotification<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly id: Id;
  readonly notification: Notification;
  /** It waits until its sender is accepted. */
  readonly isFiltered: boolean;
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
    return chooseNotifications(this.services.snapshots, accountId, choice, bounds, (id, notification, isFiltered) =>
      this.show(accountId, { id, notification, isFiltered }),
    );
  }

  /** Undefined for one that there is not, or that the account is not shown. */
  one(accountId: Id, notificationId: Id): ShownNotification<StatusBody, AccountBody, StateBody> | undefined {
    const stored = findNotification(this.services.snapshots, accountId, notificationId);
    return stored === undefined ? undefined : this.show(accountId, stored);
  }

  /** Notifications as they are stored, whoever is shown them. */
  stored(accountId: Id, choice: NotificationChoice, range: RangeQuery): Iterable<StoredNotification> {
    return storedNotifications(this.services.snapshots, accountId, choice, range);
  }

  /** Undefined for one that the account is not shown. */
  show(
    accountId: Id,
    { id, notification, isFiltered }: StoredNotification,
  ): ShownNotification<StatusBody, AccountBody, StateBody> | undefined {
    const { accountId: fromId, statusId } = notification;
    const from = this.sender(accountId, fromId);
    if (from === undefined) return undefined;
    if (statusId === undefined) return { id, notification, isFiltered, from, status: undefined };
    const status = this.statuses.one(statusId, accountId, 'notification');
    return status === undefined ? undefined : { id, notification, isFiltered, from, status };
  }

  /** Undefined for one of whom the account is shown no notifications. */
  sender(accountId: Id, fromId: Id): KnownAccount<AccountBody> | undefined {
    const viewer = this.statuses.viewer(accountId);
    if (viewer.blocks(fromId) || (viewer.mutes(fromId) && this.isSilenced(accountId, fromId))) return undefined;
    const from = this.statuses.account(fromId);
    return from === undefined || from.isSuspended || viewer.hidesDomain(from.domain) ? undefined : from;
  }

  private isSilenced(accountId: Id, fromId: Id): boolean {
    return isSilenced(this.services.snapshots, accountId, fromId, this.services.now());
  }
}
