/** The keyspace of the rule for statuses of other servers: 149. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, type Rule } from '../../../runtime/storage/rules.ts';
import { Instance } from '../instance.messages.ts';
import { Retention } from './retention.records.ts';

export const retentions = keyspace<[string], Retention>({
  number: 149,
  name: 'retention',
  owner: 'instance',
  key: [hashedString('instance')],
  value: record(Retention),
  bound: { by: 'count', entries: 1 },
});

/** The timer of the next run, or the effect of the one that goes on. */
export const retentionRules: readonly Rule[] = [
  awaits(retentions, [Instance.retentionDue, Instance.retentionSwept], { isAwaiting: (_key, { days }) => days > 0 }),
];
