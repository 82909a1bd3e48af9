/** Grouped notifications (version 2 of the Mastodon API), assembled from encoded accounts and statuses. */

import { z } from 'zod';
import type { Dialect } from '../../actors/session/session.messages.ts';
import { presentationLimits } from '../../operations/presentation/limits.ts';
import type { ShownGroup } from '../../operations/presentation/shown-notification.ts';
import type { Id } from '../../runtime/ids.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Addresses } from '../../services/addresses.ts';
import { AccountEntity } from './account.ts';
import { AccountWarningEntity, accountWarning } from './account-warning.ts';
import { CollectionEntity, collectionEntity } from './collection.ts';
import type { EncodableStatus, EntityForms } from './encodable-status.ts';
import { accountOf, appendAccount, type EncodableAccount } from './encoded-account.ts';
import { appendStatus } from './encoded-status.ts';
import {
  NotificationFallbackEntity,
  needsFallback,
  notificationFallback,
  type SupportedTypes,
} from './notification-fallback.ts';
import type { PageBuffer } from './page-buffer.ts';
import { ReportEntity, reportEntity } from './report.ts';
import { SeveranceEventEntity, severanceEvent } from './severance.ts';
import { UserStatusEntity } from './status-schema.ts';
import { id, idNumber, text, time, timestamp } from './values.ts';

const groupFields = {
  group_key: text.min(1),
  notifications_count: z.int().min(1),
  /** Dialect `mastodon`: a number. */
  most_recent_notification_id: z.union([id, idNumber]),
  /** Only in lists. */
  page_min_id: id.optional(),
  page_max_id: id.optional(),
  latest_page_notification_at: time.optional(),
  sample_account_ids: z.array(id).min(1),
  /** Of types that the client does not know. */
  fallback: NotificationFallbackEntity.optional(),
};

/**
 * Present only for a notification about a status; the same for a collection, a report, a warning, and the event of
 * severed relationships.
 */
const NotificationGroupEntity = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['follow', 'follow_request', 'admin.sign_up']), ...groupFields }),
    z.strictObject({
      type: z.enum(['mention', 'status', 'reblog', 'favourite', 'update', 'poll', 'quote', 'quoted_update']),
      ...groupFields,
      status_id: id,
    }),
    z.strictObject({ type: z.literal('severed_relationships'), ...groupFields, event: SeveranceEventEntity }),
    z.strictObject({
      type: z.enum(['added_to_collection', 'collection_update']),
      ...groupFields,
      collection: CollectionEntity,
    }),
    z.strictObject({ type: z.literal('admin.report'), ...groupFields, report: ReportEntity }),
    z.strictObject({
      type: z.literal('moderation_warning'),
      ...groupFields,
      moderation_warning: AccountWarningEntity,
    }),
  ])
  .meta({ id: 'NotificationGroup' });

/** For accounts that are shown by their pictures only. */
const PartialAccountEntity = AccountEntity.pick({
  ...{ id: true, acct: true, url: true, avatar: true, avatar_static: true, avatar_description: true },
  ...{ locked: true, bot: true },
}).meta({ id: 'PartialAccountWithAvatar' });
type PartialAccountEntity = z.infer<typeof PartialAccountEntity>;

export const GroupedNotificationsEntity = z
  .strictObject({
    accounts: z.array(AccountEntity),
    partial_accounts: z.array(PartialAccountEntity).optional(),
    statuses: z.array(UserStatusEntity),
    notification_groups: z.array(NotificationGroupEntity),
  })
  .meta({ id: 'GroupedNotificationsResults' });

type EncodedGroup = NonNullable<EncodableGroup['newest']['known']['encodedGroup']>;
export type EncodableGroup = ShownGroup<EntityForms>;

export interface GroupOptions {
  readonly inList: boolean;
  /** Only the account that acted last in each group is complete. */
  readonly partialAccounts: boolean;
  readonly supported: SupportedTypes;
  readonly dialect: Dialect;
}

const { groupSamplesMax } = presentationLimits;
const openBracket = 0x5b;
const accountsName = Buffer.from('{"accounts":');
const partialName = Buffer.from('],"partial_accounts":');
const statusesName = Buffer.from('],"statuses":');
const groupsName = Buffer.from('],"notification_groups":');
const emptyList = Buffer.from('[');
const end = Buffer.from(']}');
const comma = 0x2c;

/** Appends the GroupedNotificationsResults entity. */
export function appendGroups(
  buffer: PageBuffer,
  groups: readonly EncodableGroup[],
  options: GroupOptions,
  addresses: Addresses,
): void {
  const { whole, partial } = accountsOf(groups, options.partialAccounts);
  buffer.append(accountsName);
  appendList(buffer, whole, (account) => {
    buffer.appendByte(comma);
    appendAccount(buffer, account);
  });
  if (options.partialAccounts) {
    buffer.append(partialName);
    appendList(buffer, partial, (account) => buffer.append(Buffer.from(`,${partialJson(account)}`)));
  }
  buffer.append(statusesName);
  appendStatuses(buffer, groups);
  buffer.append(groupsName);
  appendList(buffer, groups, (group) => appendGroup(buffer, group, options, addresses));
  buffer.append(end);
}

/** `append` begins each item with a comma. */
function appendList<Item>(buffer: PageBuffer, items: readonly Item[], append: (item: Item) => void): void {
  const before = buffer.length;
  for (const item of items) append(item);
  beginList(buffer, before);
}

/** The list that was appended since begins with a comma, unless it is empty. */
function beginList(buffer: PageBuffer, before: number): void {
  if (buffer.length === before) buffer.append(emptyList);
  else buffer.overwrite(before, openBracket);
}

type Account = EncodableGroup['newest']['from'];

/**
 * The accounts of the groups, each once; complete where it acted last in any of them. They are few enough for lists to
 * cost less than tables.
 */
function accountsOf(groups: readonly EncodableGroup[], isPartial: boolean) {
  const whole: Account[] = [];
  const rest: Account[] = [];
  for (const { accounts } of groups) {
    const length = Math.min(accounts.length, groupSamplesMax);
    for (let index = 0; index < length; index += 1) {
      const account = accounts[index]!;
      const list = isPartial && index > 0 ? rest : whole;
      if (!list.includes(account)) list.push(account);
    }
  }
  return { whole, partial: rest.filter((account) => !whole.includes(account)) };
}

/**
 * Each status once: of a page few are the same, so that looking through the groups before costs less than a table.
 */
function appendStatuses(buffer: PageBuffer, groups: readonly EncodableGroup[]): void {
  const before = buffer.length;
  for (let index = 0; index < groups.length; index += 1) {
    const { status } = groups[index]!.newest;
    if (status !== undefined && !isShownBefore(groups, index, status.status)) appendStatus(buffer, status);
  }
  beginList(buffer, before);
}

function isShownBefore(groups: readonly EncodableGroup[], until: number, status: EncodableStatus['status']): boolean {
  for (let index = 0; index < until; index += 1) if (groups[index]!.newest.status?.status === status) return true;
  return false;
}

function partialJson(account: EncodableAccount): string {
  const { id: accountId, acct, url, avatar, avatar_static, avatar_description, locked, bot } = accountOf(account);
  const partial: PartialAccountEntity = {
    ...{ id: accountId, acct, url, avatar, avatar_static, avatar_description },
    ...{ locked, bot },
  };
  return JSON.stringify(partial);
}

/**
 * A group in a list is cached encoded with its newest notification: its parts never change (except for a collection,
 * a report, and the account of a warning), and it seldom gets other members.
 */
function appendGroup(buffer: PageBuffer, group: EncodableGroup, options: GroupOptions, addresses: Addresses): void {
  const { known, notification, collection, report } = group.newest;
  const { inList, supported, dialect } = options;
  const mayChange = collection !== undefined || report !== undefined || notification.warning !== undefined;
  const isOwn = mayChange || needsFallback(notification.type, supported);
  if (isOwn || !inList || group.key !== known.groupKey) {
    buffer.append(Buffer.from(`,${groupJson(group, options, addresses)}`));
    return;
  }
  const { count, oldestId } = group;
  let encoded = known.encodedGroup;
  const isAlone = notification.groupHour === undefined;
  if (encoded?.dialect !== dialect || !(isAlone || isOf(encoded, group))) {
    const body = keptText(`,${groupJson(group, options, addresses)}`);
    encoded = { body, dialect, count, oldestId, sampleIds: sampleIdsOf(group) };
    known.encodedGroup = encoded;
  }
  buffer.append(encoded.body);
}

function sampleIdsOf({ accountIds }: EncodableGroup): Id[] {
  return accountIds.slice(0, groupSamplesMax);
}

/** Whether it was encoded with these members. */
function isOf({ count, oldestId, sampleIds }: EncodedGroup, group: EncodableGroup): boolean {
  return count === group.count && oldestId === group.oldestId && areIn(sampleIds, group);
}

function areIn(sampleIds: readonly Id[], { accountIds }: EncodableGroup): boolean {
  const length = Math.min(accountIds.length, groupSamplesMax);
  return sampleIds.length === length && sampleIds.every((id, index) => id === accountIds[index]);
}

function groupJson(group: EncodableGroup, { inList, supported, dialect }: GroupOptions, addresses: Addresses): string {
  const { key, count, newest, newestId, oldestId } = group;
  const { type, statusId, createdAt } = newest.notification;
  const { collection, report } = newest;
  const event = severanceEvent(newestId, newest.notification);
  const author = () => accountOf(newest.from);
  const warning = accountWarning(newestId, newest.notification, author);
  const fallback = notificationFallback({ ...newest, others: count - 1 }, supported, author, addresses);
  const page = {
    page_min_id: oldestId.toString(),
    page_max_id: newestId.toString(),
    latest_page_notification_at: timestamp(createdAt),
  };
  // Written here, because a JavaScript number does not hold it.
  const shownId = dialect === 'mastodon' ? `${newestId}` : `"${newestId}"`;
  const rest = JSON.stringify({
    group_key: key,
    notifications_count: count,
    type,
    ...(inList ? page : {}),
    sample_account_ids: sampleIdsOf(group).map((accountId) => accountId.toString()),
    ...(statusId === undefined ? {} : { status_id: statusId.toString() }),
    ...(event === undefined ? {} : { event }),
    ...(collection === undefined ? {} : { collection: collectionEntity(collection, addresses) }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(report === undefined ? {} : { report: reportEntity(report, addresses) }),
    ...(warning === undefined ? {} : { moderation_warning: warning }),
  } as Omit<z.input<typeof NotificationGroupEntity>, 'most_recent_notification_id'>);
  return `{"most_recent_notification_id":${shownId},${rest.slice(1)}`;
}
