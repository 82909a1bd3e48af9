/** Bodies of answers with statuses, as JSON bytes: encoded once, with the viewer's part inserted. */
import { presentationLimits } from '../../operations/presentation/limits.ts';
import type { Presenter } from '../../operations/presentation/presenter.ts';
import { Slice } from '../../operations/presentation/slice.ts';
import { walkThread } from '../../operations/presentation/threads.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import { appendConversation, type EncodableConversation } from './conversation.ts';
import {
  appendAccount,
  appendStatus,
  type EncodableStatus,
  type EncodedAccount,
  type EncodedState,
  type EncodedStatus,
} from './encoded-status.ts';
import { appendNotification, type EncodableNotification } from './notification.ts';
import type { SupportedTypes } from './notification-fallback.ts';
import { appendGroups, type EncodableGroup, type GroupOptions } from './notification-groups.ts';
import { appendNotificationRequest, type EncodableNotificationRequest } from './notification-request.ts';
import { PageBuffer } from './page-buffer.ts';

export type StatusPresenter = Presenter<EncodedStatus, EncodedAccount, EncodedState>;

const openBracket = 0x5b;
const openList = Buffer.from('[');
const contextStart = Buffer.from('{"ancestors":');
const contextMiddle = Buffer.from('],"descendants":');
const contextEnd = Buffer.from(']}');
const listEnd = Buffer.from(']');
const comma = Buffer.from(',');
const emptyPage = Buffer.from('[]');

export class EncodedAnswers {
  private readonly presenter: StatusPresenter;
  private readonly addresses: Addresses;
  private buffer = new PageBuffer();

  constructor(presenter: StatusPresenter, addresses: Addresses) {
    this.presenter = presenter;
    this.addresses = addresses;
  }

  /** The entity of one status. Valid until the next body is made. */
  status(status: EncodableStatus): Buffer {
    this.buffer.begin();
    appendStatus(this.buffer, status);
    return this.buffer.page.subarray(1);
  }

  /** A JSON array of statuses. Valid until the next body is made. */
  list(statuses: readonly EncodableStatus[]): Buffer {
    this.buffer.begin();
    for (const status of statuses) appendStatus(this.buffer, status);
    return this.array();
  }

  /** A JSON array of notifications. Valid until the next body is made. */
  notifications(notifications: readonly EncodableNotification[], supported?: SupportedTypes): Buffer {
    this.buffer.begin();
    for (const notification of notifications) appendNotification(this.buffer, notification, this.addresses, supported);
    return this.array();
  }

  /** The GroupedNotificationsResults entity. Valid until the next body is made. */
  notificationGroups(groups: readonly EncodableGroup[], options: GroupOptions): Buffer {
    this.buffer.begin();
    appendGroups(this.buffer, groups, options, this.addresses);
    return this.buffer.page;
  }

  /** A JSON array of accounts. Valid until the next body is made. */
  accounts(accounts: Iterable<{ readonly body: EncodedAccount }>): Buffer {
    this.buffer.begin();
    for (const { body } of accounts) {
      this.buffer.append(comma);
      appendAccount(this.buffer, body);
    }
    return this.array();
  }

  /** A JSON array of notification requests. Valid until the next body is made. */
  notificationRequests(requests: readonly EncodableNotificationRequest[]): Buffer {
    this.buffer.begin();
    for (const request of requests) appendNotificationRequest(this.buffer, request);
    return this.array();
  }

  /** Valid until the next body is made. */
  notificationRequest(request: EncodableNotificationRequest): Buffer {
    this.buffer.begin();
    appendNotificationRequest(this.buffer, request);
    return this.buffer.page.subarray(1);
  }

  /** A JSON array of conversations. Valid until the next body is made. */
  conversations(conversations: readonly EncodableConversation[]): Buffer {
    this.buffer.begin();
    for (const conversation of conversations) appendConversation(this.buffer, conversation);
    return this.array();
  }

  /** Valid until the next body is made. */
  conversation(conversation: EncodableConversation): Buffer {
    this.buffer.begin();
    appendConversation(this.buffer, conversation);
    return this.buffer.page.subarray(1);
  }

  /** Valid until the next body is made. */
  notification(notification: EncodableNotification, supported?: SupportedTypes): Buffer {
    this.buffer.begin();
    appendNotification(this.buffer, notification, this.addresses, supported);
    return this.buffer.page.subarray(1);
  }

  /**
   * The Context entity of a status, in slices (see TimeSlices); with a single slice it is valid until the next body is
   * made.
   */
  *context(status: EncodableStatus['status'], viewerId: Id | undefined): Generator<undefined, Buffer> {
    const { ancestors, descendants } = yield* walkThread(this.presenter, status);
    const { buffer } = this;
    buffer.begin();
    buffer.append(contextStart);
    yield* this.appendInSlices(buffer, ancestors, viewerId);
    buffer.append(contextMiddle);
    yield* this.appendInSlices(buffer, descendants, viewerId);
    buffer.append(contextEnd);
    return buffer.page;
  }

  private *appendInSlices(
    buffer: PageBuffer,
    statuses: readonly EncodableStatus['status'][],
    viewerId: Id | undefined,
  ): Generator<undefined> {
    const { statusesAtOnce } = presentationLimits;
    const slice = new Slice(this.presenter);
    const before = buffer.length;
    for (let index = 0; index < statuses.length; index += statusesAtOnce) {
      const some = statuses.slice(index, index + statusesAtOnce);
      for (const status of this.presenter.pageOf(some, viewerId, 'thread')) appendStatus(buffer, status);
      if (!slice.isOver(some.length)) continue;
      // Other answers are made meanwhile, in another buffer.
      if (buffer === this.buffer) this.buffer = new PageBuffer();
      yield;
    }
    if (buffer.length === before) buffer.append(openList);
    else buffer.overwrite(before, openBracket);
  }

  private array(): Buffer {
    const { buffer } = this;
    if (buffer.length === 0) return emptyPage;
    buffer.overwrite(0, openBracket);
    buffer.append(listEnd);
    return buffer.page;
  }
}
