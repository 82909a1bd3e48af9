/**
 * The keyspaces of notification policies and of filtered notifications. The latter are stored separately, so that lists
 * and counts without them never read them.
 */

import type { z } from 'zod';
import { present, record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { awaits, countEntries, counterparts, disagreement, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { NotificationPolicy } from '../../policy/notification-policy.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference, withAccount } from '../account.state.ts';
import { notificationRequestLimits } from './limits.ts';
import { FilteredNotification, isRequested, NotificationRequest, Settlement } from './notification-requests.records.ts';
import { notificationCounts } from './notifications.state.ts';

export const notificationPolicies = keyspace<[bigint], NotificationPolicy>({
  number: 73,
  name: 'notification policies',
  owner,
  sparse: true,
  key: [id('account')],
  value: record(NotificationPolicy),
  bound: withAccount,
});

/** Senders whose request was accepted: no policy applies to them. */
export const notificationPermissions = keyspace<[bigint, bigint], true>({
  number: 74,
  name: 'notification permissions',
  owner,
  sparse: true,
  key: [id('account'), id('sender')],
  value: present,
  bound: withAccount,
});

export const filteredNotifications = keyspace<[bigint, bigint], FilteredNotification>({
  number: 75,
  name: 'filtered notifications',
  owner,
  sparse: true,
  key: [id('account'), id('notification')],
  value: record(FilteredNotification),
  bound: { by: 'count', entries: notificationRequestLimits.filteredMax },
});

export const filteredBySender = keyspace<[bigint, bigint, bigint], true>({
  number: 76,
  name: 'filtered notifications by sender',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), id('sender'), id('notification')],
  value: present,
  bound: withAccount,
});

export const notificationRequests = keyspace<[bigint, bigint], NotificationRequest>({
  number: 77,
  name: 'notification requests',
  owner,
  sparse: true,
  key: [id('account'), id('request')],
  value: record(NotificationRequest),
  bound: withAccount,
});

export const requestBySender = keyspace<[bigint, bigint], Reference>({
  number: 78,
  name: 'notification request by sender',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), id('sender')],
  value: record(Reference),
  bound: withAccount,
});

export const settlements = keyspace<[bigint, bigint], z.infer<typeof Settlement>>({
  number: 79,
  name: 'settlements of notification requests',
  owner,
  sparse: true,
  key: [id('account'), id('settlement')],
  value: record(Settlement),
  bound: { by: 'owner', reason: 'until what was filtered before it is gone' },
});

/** The filtered mentions and quotes of a sender since an id, which make a request. */
function countMentions(reader: Reader, account: bigint, sender: bigint, from: bigint): number {
  let count = 0;
  for (const { key } of reader.range(filteredBySender, [account, sender], { from })) {
    const filtered = reader.get(filteredNotifications, [account, key[2]]);
    if (filtered !== undefined && isRequested(filtered)) count += 1;
  }
  return count;
}

function isBeingSettled(reader: Reader, account: bigint, sender: bigint, notification: bigint): boolean {
  for (const { value } of reader.range(settlements, [account], { from: notification }))
    if (value.fromId === sender) return true;
  return false;
}

export const notificationRequestRules: readonly Rule[] = [
  awaits(settlements, [Account.continueSettlements]),
  ...counterparts(
    filteredNotifications,
    ([account, id], { notification }) => [account, notification.accountId, id],
    filteredBySender,
    ([account, , id]) => [account, id],
  ),
  ...counterparts(
    notificationRequests,
    ([account], { fromId }) => [account, fromId],
    requestBySender,
    ([account], { id: request }) => [account, request],
  ),
  rule(notificationRequests, ([account, request], { fromId, mentions }, reader) =>
    disagreement('filtered mentions and quotes', mentions, countMentions(reader, account, fromId, request)),
  ),
  rule(filteredNotifications, ([account, id], filtered, reader) => {
    const { accountId } = filtered.notification;
    if (!isRequested(filtered)) return undefined;
    const request = reader.get(requestBySender, [account, accountId]);
    if (request !== undefined && request.id <= id) return undefined;
    return isBeingSettled(reader, account, accountId, id) ? undefined : 'is of a sender without a request';
  }),
  rule(notificationCounts, ([account], { filtered = 0 }, reader) =>
    disagreement('filtered notifications', filtered, countEntries(reader, filteredNotifications, [account])),
  ),
  rule(filteredNotifications, ([account], _filtered, reader) =>
    reader.get(notificationCounts, [account]) === undefined ? 'is not counted' : undefined,
  ),
];
