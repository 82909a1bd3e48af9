/** The statuses that trend, by rank (policy/trends.ts): each partition has an index of those it holds. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { id, keyspace, uint53 } from '../../../runtime/storage/keyspace.ts';
import { counterparts, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { statuses } from './statuses.state.ts';

const bound = {
  by: 'owner',
  reason: 'one of each status that trends; each write removes some that have faded',
} as const;

const Ranked = z.object({ accountId: z.bigint(), language: z.string().optional() });

export const rankedStatuses = keyspace<[number, bigint], z.infer<typeof Ranked>>({
  number: 85,
  name: 'ranked statuses',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [uint53('rank'), id('status')],
  value: record(Ranked),
  bound,
});

const Rank = z.object({ rank: z.number() });

/** Stored, and not derived from the counters: ranks may be computed differently one day. */
export const ranksOfStatuses = keyspace<[bigint], z.infer<typeof Rank>>({
  number: 86,
  name: 'ranks of statuses',
  owner: 'account',
  partitionWide: true,
  derived: true,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(Rank),
  bound,
});

export const rankRules: readonly Rule[] = [
  ...counterparts(
    rankedStatuses,
    ([, status]) => [status],
    ranksOfStatuses,
    ([status], { rank }) => [rank, status],
  ),
  rule(ranksOfStatuses, ([status], _rank, reader) =>
    reader.get(statuses, [status]) === undefined ? 'leads to a status that is not there' : undefined,
  ),
];
