/**
 * A notification as a gateway thread keeps it. What is stored of one never changes: it comes and goes whole. Whoever
 * shows it finds here what was found out and encoded before.
 */
import type { StoredNotification } from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import { groupKeyOf } from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Encoded, KnownAccount } from './known-status.ts';

export class KnownNotification<AccountBody extends Encoded> implements StoredNotification {
  readonly id: Id;
  readonly notification: Notification;
  readonly isFiltered: boolean;
  /** What a face made of it without account and status; and of a group that has nothing else. */
  encoded: Uint8Array | undefined = undefined;
  encodedGroup: Uint8Array | undefined = undefined;
  private knownSender: KnownAccount<AccountBody> | undefined = undefined;
  private knownKey: string | undefined = undefined;

  constructor({ id, notification, isFiltered }: StoredNotification) {
    this.id = id;
    this.notification = notification;
    this.isFiltered = isFiltered;
  }

  /** Who caused it, while what is known of the account is true. */
  get sender(): KnownAccount<AccountBody> | undefined {
    return this.knownSender?.isCurrent === true ? this.knownSender : undefined;
  }

  set sender(sender: KnownAccount<AccountBody> | undefined) {
    this.knownSender = sender;
  }

  get groupKey(): string {
    this.knownKey ??= groupKeyOf(this.id, this.notification);
    return this.knownKey;
  }
}
