/**
 * A notification cached in a gateway thread, with its encoded forms and the decision what its owner is shown of it. A
 * stored notification never changes: it is added and removed as a whole.
 */
import type { StoredNotification } from '../../actors/account/notifications/notifications.queries.ts';
import { type Notification, NotificationType } from '../../actors/account/notifications/notifications.records.ts';
import { groupKeyOf } from '../../actors/policy/notification-groups.ts';
import { isForStaff } from '../../actors/policy/staff.ts';
import type { Dialect } from '../../actors/session/session.messages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Decision, Source, ViewerVersion } from './sources.ts';

/** The encoded form of a group, with its dependencies besides its newest notification. */
interface EncodedGroup {
  readonly body: Uint8Array;
  readonly dialect: Dialect;
  readonly count: number;
  readonly oldestId: Id;
  readonly sampleIds: readonly Id[];
}

/** `Shown`: what its owner is shown of it. */
export class CachedNotification<Shown> implements StoredNotification {
  readonly id: Id;
  readonly notification: Notification;
  readonly isFiltered: boolean;
  /** One object for all of a type, which a stored one is not: quick to compare. */
  readonly type: NotificationType;
  readonly isForStaff: boolean;
  /** Whether others may belong to the same group. */
  readonly isOfGroup: boolean;
  /**
   * The encoded form without account and status, and the encoded form of the group whose newest notification this is.
   */
  encoded: Uint8Array | undefined = undefined;
  encodedGroup: EncodedGroup | undefined = undefined;
  decision: Decision<Shown | undefined> | undefined = undefined;
  private sender: Source | undefined = undefined;
  private heardIn: ViewerVersion | undefined = undefined;
  private knownKey: string | undefined;

  /** `groupKey`: where it is known already. */
  constructor({ id, notification, isFiltered }: StoredNotification, groupKey?: string) {
    this.id = id;
    this.notification = notification;
    this.isFiltered = isFiltered;
    this.type = NotificationType.enum[notification.type];
    this.isForStaff = isForStaff(this.type);
    this.isOfGroup = notification.groupHour !== undefined;
    this.knownKey = groupKey;
  }

  /** The sender, where its owner is known to hear of it: that is still valid, and nothing has to be read. */
  heardSender(viewerVersion: ViewerVersion): Source | undefined {
    return this.heardIn === viewerVersion && this.sender!.isCurrent ? this.sender : undefined;
  }

  keepHeard(sender: Source, viewerVersion: ViewerVersion): void {
    this.sender = sender;
    this.heardIn = viewerVersion;
  }

  get groupKey(): string {
    this.knownKey ??= groupKeyOf(this.id, this.notification);
    return this.knownKey;
  }
}

/** Members of a group that stand beside each other have one key: one object, quick to compare. */
export function* knownNotifications<Shown>(
  notifications: Iterable<StoredNotification>,
): Generator<CachedNotification<Shown>> {
  let before: Notification | undefined;
  let key: string | undefined;
  for (const stored of notifications) {
    const { id, notification } = stored;
    if (notification.groupHour === undefined) {
      yield new CachedNotification(stored);
      continue;
    }
    if (before === undefined || !areOfOneGroup(before, notification)) key = groupKeyOf(id, notification);
    before = notification;
    yield new CachedNotification(stored, key);
  }
}

function areOfOneGroup(one: Notification, other: Notification): boolean {
  return one.groupHour === other.groupHour && one.statusId === other.statusId && one.type === other.type;
}
