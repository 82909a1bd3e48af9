/** The keyspaces of notifications. */

import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { countEntries, disagreement, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Group } from '../../policy/notification-groups.ts';
import { owner, withAccount } from '../account.state.ts';
import { notificationLimits } from './limits.ts';
import { Notification } from './notifications.records.ts';

export const notifications = keyspace<[bigint, bigint], Notification>({
  number: 48,
  name: 'notifications',
  owner,
  absentIfDamaged: true,
  key: [id('account'), id('notification')],
  value: record(Notification),
  bound: { by: 'count', entries: notificationLimits.keptMax },
});

/**
 * How many notifications an account has, so that the oldest can be removed above the bound; the groups that may grow;
 * and versions of the list, by which caches can tell whether their copy is current.
 */
const NotificationCount = z.object({
  count: z.number(),
  growing: z.array(Group).optional(),
  /** Filtered notifications, which are not in the count; absent for none. */
  filtered: z.number().optional(),
  /** Rises whenever one is added or removed, except filtered ones. */
  version: z.number().optional(),
  /** Since this version newer ones were added and the very oldest removed; nothing else has changed. */
  appendedSince: z.number().optional(),
});
export type NotificationCount = z.infer<typeof NotificationCount>;

export const notificationCounts = keyspace<[bigint], NotificationCount>({
  number: 51,
  name: 'notification counts',
  owner,
  key: [id('account')],
  value: record(NotificationCount),
  bound: withAccount,
});

export const notificationRules: readonly Rule[] = [
  rule(notificationCounts, ([account], { count }, reader) =>
    disagreement('notifications', count, countEntries(reader, notifications, [account])),
  ),
  rule(notifications, ([account], _notification, reader) =>
    reader.get(notificationCounts, [account]) === undefined ? 'is not counted' : undefined,
  ),
];
