/** The keyspace of scheduled statuses. */

import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { media } from '../media/media.state.ts';
import { scheduledLimits } from './limits.ts';
import { ScheduledStatus } from './scheduled.records.ts';

export const scheduledStatuses = keyspace<[bigint, bigint], ScheduledStatus>({
  number: 166,
  name: 'scheduled statuses',
  owner,
  key: [id('account'), id('scheduled status')],
  value: record(ScheduledStatus),
  bound: { by: 'count', entries: scheduledLimits.perAccountMax },
});

/** The timer of its time, or the effect that publishes it. */
export const scheduledRules = [
  awaits(scheduledStatuses, [Account.scheduledPostDue, Account.scheduledPostTried], {
    isMeant: ([, scheduled], { scheduledId }: { readonly scheduledId: bigint }) => scheduledId === scheduled,
  }),
  rule(media, ([accountId], { scheduledId }, reader) =>
    scheduledId === undefined || reader.get(scheduledStatuses, [accountId, scheduledId]) !== undefined
      ? undefined
      : 'is of a scheduled status that is gone',
  ),
];
