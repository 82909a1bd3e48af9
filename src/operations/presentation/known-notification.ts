/**
 * A notification cached in a gateway thread, with its encoded forms and the decision what its owner is shown of it. A
 * stored notification never changes: it is added and removed as a whole.
 */
import type { StoredNotification } from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../actors/account/notifications/notifications.records.ts';
import { groupKeyOf } from '../../actors/policy/notification-groups.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Decision, Source, Standing } from './sources.ts';

/** The encoded form of a group, with its dependencies besides its newest notification. */
interface EncodedGroup {
  readonly body: Uint8Array;
  readonly count: number;
  readonly oldestId: Id;
  readonly sampleIds: readonly Id[];
}

/** `Shown`: what its owner is shown of it. */
export class KnownNotification<Shown extends { readonly from: Source }> implements StoredNotification {
  readonly id: Id;
  readonly notification: Notification;
  readonly isFiltered: boolean;
  /**
   * The encoded form without account and status, and the encoded form of the group whose newest notification this is.
   */
  encoded: Uint8Array | undefined = undefined;
  encodedGroup: EncodedGroup | undefined = undefined;
  decision: Decision<Shown | undefined> | undefined = undefined;
  private knownSender: Shown['from'] | undefined = undefined;
  private visibleIn: Standing | undefined = undefined;
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

  /** The sender, if what its owner was shown of the notification is still valid. */
  visibleSender(standing: Standing): Shown['from'] | undefined {
    return this.visibleIn === standing ? this.sender : undefined;
  }

  /** The decision, if it is still valid; storage is not read. */
  keepVisible(sender: Shown['from'], standing: Standing): void {
    this.knownSender = sender;
    this.visibleIn = standing;
  }

  get groupKey(): string {
    this.knownKey ??= groupKeyOf(this.id, this.notification);
    return this.knownKey;
  }
}
