/** The keyspace of appeals: 69. Each partition lists those of its accounts; the text is part of the strike. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { id, keyspace, uint32 } from '../../../runtime/storage/keyspace.ts';
import { type Rule, rule } from '../../../runtime/storage/rules.ts';
import { appealStates, stateOfAppeal } from '../../policy/appeals.ts';
import { owner } from '../account.state.ts';
import type { Appeal } from '../notifications/notifications.records.ts';
import { warnings } from './warnings.state.ts';

const ListedAppeal = z.object({ accountId: z.bigint(), strikeId: z.bigint() });

export const appeals = keyspace<[number, bigint], z.infer<typeof ListedAppeal>>({
  number: 69,
  name: 'appeals',
  owner,
  partitionWide: true,
  derived: true,
  key: [uint32('state'), id('appeal')],
  value: record(ListedAppeal),
  bound: { by: 'owner', reason: 'at most one for each strike' },
});

export function appealKey(appeal: Appeal): [number, bigint] {
  return [appealStates[stateOfAppeal(appeal)], appeal.appealId];
}

export const appealRules: readonly Rule[] = [
  rule(warnings, (_key, { appeal }, reader) =>
    appeal === undefined || reader.get(appeals, appealKey(appeal)) !== undefined
      ? undefined
      : 'has an appeal that is not listed as what it is',
  ),
  rule(appeals, ([state, appealId], { accountId, strikeId }, reader) => {
    const appeal = reader.get(warnings, [accountId, strikeId])?.appeal;
    if (appeal?.appealId !== appealId) return 'leads to a strike without this appeal';
    return appealKey(appeal)[0] === state ? undefined : 'is listed as what it is not';
  }),
];
