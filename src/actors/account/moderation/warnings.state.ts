/** The keyspace of warnings by moderation. */

import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { rule } from '../../../runtime/storage/rules.ts';
import { owner } from '../account.state.ts';
import { notificationLimits } from '../notifications/limits.ts';
import { KeptWarning } from '../notifications/notifications.records.ts';
import { notifications } from '../notifications/notifications.state.ts';

/**
 * By the id of the notification that brought it, and without which it stays (behaviour of the Mastodon API: strikes).
 * Earlier versions stored it with the notification only.
 */
export const warnings = keyspace<[bigint, bigint], KeptWarning>({
  number: 203,
  name: 'warnings',
  owner,
  absentIfDamaged: true,
  key: [id('account'), id('warning')],
  value: record(KeptWarning),
  bound: { by: 'count', entries: notificationLimits.warningsKeptMax },
});

export const warningRules = [
  rule(warnings, ([account, warning], { text }, reader) => {
    const brought = reader.get(notifications, [account, warning]);
    return brought === undefined || brought.warning?.text === text ? undefined : 'is not what its notification says';
  }),
];
