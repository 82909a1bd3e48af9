/**
 * A notification cached in a gateway thread, with what its owner is shown of it and encodings made before. A stored notification never
 * changes: it is added and removed as a whole.
 */
import type { StoredNotification } from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import { groupKeyOf } from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Decision, Source } from './sources.ts';

/** `Shown`: what its owner is shown of it. */
export class KnownNotification<Shown extends { readonly from: Source }> implements StoredNotification {
  readonly id: Id;
  readonly notification: Notification;
  readonly isFiltered: boolean;
  /** The encoded form without account and status; also that of its group, where it is the only member. */
  encoded: Uint8Array | undefined = undefined;
  encodedGroup: Uint8Array | undefined = undefined;
  decision: Decision<Shown | undefined> | undefined = undefined;
  private knownSender: Shown['from'] | undefined = undefined;
  private knownKey: string | undefined = undefined;

  constructor({ id, notification, isFiltered }: StoredNotification) {
    this.id = id;
    this.notification = notification;
    this.isFiltered = isFiltered;
  }

  /** The sender, while the cached account is current. */
  get sender(): Shown['from'] | undefined {
    return this.knownSender?.isCurrent === true ? this.knownSender : undefined;
  }

  set sender(sender: Shown['from'] | undefined) {
    this.knownSender = sender;
  }

  get groupKey(): string {
    this.knownKey ??= groupKeyOf(this.id, this.notification);
    return this.knownKey;
  }
}
