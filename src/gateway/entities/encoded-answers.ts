/** Bodies of answers with statuses, as JSON bytes: encoded once, with the viewer's part inserted. */

import type { Muted } from '../../actors/account/relationships/relationships.queries.ts';
import { contextOfThread, type ThreadContext } from '../../operations/presentation/contexts.ts';
import { presentationLimits } from '../../operations/presentation/limits.ts';
import type { Presenter } from '../../operations/presentation/presenter.ts';
import { Slice } from '../../operations/presentation/slice.ts';
import { walkThread } from '../../operations/presentation/threads.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { AnswerBlocks } from '../http/answer-blocks.ts';
import { appendConversation, type EncodableConversation } from './conversation.ts';
import type { EncodableStatus, EntityForms } from './encodable-status.ts';
import { appendAccount, appendMuted, type EncodableAccount } from './encoded-account.ts';
import { appendStatus } from './encoded-status.ts';
import { appendNotification, type EncodableNotification } from './notification.ts';
import type { SupportedTypes } from './notification-fallback.ts';
import { appendGroups, type EncodableGroup, type GroupOptions } from './notification-groups.ts';
import { appendNotificationRequest, type EncodableNotificationRequest } from './notification-request.ts';
import { PageBuffer } from './page-buffer.ts';
import { appendSuggestion } from './suggestion.ts';

export type StatusPresenter = Presenter<EntityForms>;

const openBracket = 0x5b;
const comma = 0x2c;
const openList = Buffer.from('[');
const contextStart = Buffer.from('{"ancestors":');
const contextMiddle = Buffer.from('],"descendants":');
const contextEnd = Buffer.from(']}');
const listEnd = Buffer.from(']');
const emptyPage = Buffer.from('[]');

export class EncodedAnswers {
  private readonly presenter: StatusPresenter;
  private readonly addresses: Addresses;
  private readonly blocks: AnswerBlocks;
  private readonly buffer = new PageBuffer();

  constructor(presenter: StatusPresenter, addresses: Addresses, blocks: AnswerBlocks) {
    this.presenter = presenter;
    this.addresses = addresses;
    this.blocks = blocks;
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
  accounts(accounts: Iterable<EncodableAccount>): Buffer {
    this.buffer.begin();
    for (const account of accounts) {
      this.buffer.appendByte(comma);
      appendAccount(this.buffer, account);
    }
    return this.array();
  }

  /** A JSON array of muted accounts. Valid until the next body is made. */
  mutedAccounts(muted: Iterable<Muted<EncodableAccount>>): Buffer {
    this.buffer.begin();
    for (const one of muted) {
      this.buffer.appendByte(comma);
      appendMuted(this.buffer, one);
    }
    return this.array();
  }

  /** A JSON array of suggestions. Valid until the next body is made. */
  suggestions(accounts: Iterable<EncodableAccount>): Buffer {
    this.buffer.begin();
    for (const account of accounts) appendSuggestion(this.buffer, account);
    return this.array();
  }

  /** A JSON array of one FamiliarFollowers entity. Valid until the next body is made. */
  familiarFollowers(accountId: Id, accounts: readonly EncodableAccount[]): Buffer {
    this.buffer.begin();
    this.buffer.append(Buffer.from(`,{"id":"${accountId}","accounts":`));
    const from = this.buffer.length;
    for (const account of accounts) {
      this.buffer.appendByte(comma);
      appendAccount(this.buffer, account);
    }
    if (accounts.length === 0) this.buffer.append(openList);
    else this.buffer.overwrite(from, openBracket);
    this.buffer.append(contextEnd);
    return this.array();
  }

  /**
   * The same in slices (see TimeSlices), for those of a large group. Made in a single one it is valid until the next body
   * is made; pieces belong to the caller.
   */
  *accountsInSlices(accounts: readonly EncodableAccount[]): Generator<undefined, Buffer | readonly Uint8Array[]> {
    const { buffer, blocks } = this;
    const pieces: Uint8Array[] = [];
    const slice = new Slice(this.presenter);
    buffer.begin();
    for (const [index, account] of accounts.entries()) {
      if (slice.isOver()) {
        pieces.push(...blocks.copyOf(buffer.page));
        yield;
        slice.begin();
        buffer.begin();
      }
      buffer.appendByte(index === 0 ? openBracket : comma);
      appendAccount(buffer, account);
    }
    buffer.append(accounts.length === 0 ? emptyPage : listEnd);
    if (pieces.length === 0) return buffer.page;
    pieces.push(...blocks.copyOf(buffer.page));
    return pieces;
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
   * The Context entity of a status, in slices (see TimeSlices). Made in a single one it is valid until the next body is
   * made; pieces belong to the caller.
   */
  *context(
    status: EncodableStatus['status'],
    viewerId: Id | undefined,
  ): Generator<undefined, Buffer | readonly Uint8Array[]> {
    const { ancestors, descendants } = yield* walkThread(this.presenter.threads, status);
    const { buffer } = this;
    const pieces: Uint8Array[] = [];
    buffer.begin();
    // Of a longer one, decisions that are remembered would push each other out.
    const isLong = ancestors.length + descendants.length > presentationLimits.shownPerContextMax / 2;
    const place = contextOfThread(status.accountId, this.presenter.viewer(viewerId), isLong);
    buffer.append(contextStart);
    yield* this.appendInSlices(pieces, ancestors, viewerId, place);
    buffer.append(contextMiddle);
    yield* this.appendInSlices(pieces, descendants, viewerId, place);
    buffer.append(contextEnd);
    if (pieces.length === 0) return buffer.page;
    pieces.push(...this.blocks.copyOf(buffer.page));
    return pieces;
  }

  /** A JSON array without its end. What a slice has put into the buffer becomes a piece: others use it meanwhile. */
  private *appendInSlices(
    pieces: Uint8Array[],
    statuses: readonly EncodableStatus['status'][],
    viewerId: Id | undefined,
    place: ThreadContext,
  ): Generator<undefined> {
    const { statusesAtOnce } = presentationLimits;
    const { buffer } = this;
    const slice = new Slice(this.presenter);
    let isEmpty = true;
    for (let index = 0; index < statuses.length; index += statusesAtOnce) {
      const some = statuses.slice(index, index + statusesAtOnce);
      const before = buffer.length;
      for (const status of this.presenter.pageOf(some, viewerId, place)) appendStatus(buffer, status);
      if (isEmpty && buffer.length > before) {
        buffer.overwrite(before, openBracket);
        isEmpty = false;
      }
      if (!slice.isOver(some.length)) continue;
      pieces.push(...this.blocks.copyOf(buffer.page));
      yield;
      slice.begin();
      buffer.begin();
    }
    if (isEmpty) buffer.append(openList);
  }

  private array(): Buffer {
    const { buffer } = this;
    if (buffer.length === 0) return emptyPage;
    buffer.overwrite(0, openBracket);
    buffer.append(listEnd);
    return buffer.page;
  }
}
