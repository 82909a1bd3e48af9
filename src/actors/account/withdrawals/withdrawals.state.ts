/** The keyspaces of remote accounts. Numbers: see actors/catalogue.ts. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, uint53 } from '../../../runtime/storage/keyspace.ts';
import { awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner } from '../account.state.ts';
import { withdrawalLimits } from './limits.ts';

const forSomeHours = { by: 'age', milliseconds: withdrawalLimits.lifetimeMilliseconds } as const;

const Withdrawal = z.object({
  number: z.number(),
  until: z.number(),
  signedThrough: z.number(),
  isAwaited: z.boolean(),
});

/** Ids of what a remote account deleted or undid, as digests (withdrawals.turn.ts). */
export const withdrawals = keyspace<[bigint, string], z.infer<typeof Withdrawal>>({
  number: 53,
  name: 'withdrawals',
  owner,
  sparse: true,
  key: [id('account'), hashedString('id digest')],
  value: record(Withdrawal),
  bound: forSomeHours,
});

export const withdrawalsByNumber = keyspace<[bigint, number], { digest: string; until: number }>({
  number: 54,
  name: 'withdrawals by number',
  owner,
  derived: true,
  key: [id('account'), uint53('number')],
  value: record(z.object({ digest: z.string(), until: z.number() })),
  bound: forSomeHours,
});

export const withdrawalRules: readonly Rule[] = [
  awaits(withdrawals, [Account.sweepWithdrawals]),
  awaits(withdrawalsByNumber, [Account.sweepWithdrawals]),
  rule(withdrawals, ([account], { number }, reader, bytes) => {
    const listed = reader.get(withdrawalsByNumber, [account, number]);
    return listed !== undefined && isKey(withdrawals, [account, listed.digest], bytes)
      ? undefined
      : 'is not found by its number';
  }),
  rule(withdrawalsByNumber, ([account, number], { digest }, reader) =>
    reader.get(withdrawals, [account, digest])?.number === number ? undefined : 'leads to nothing that was withdrawn',
  ),
];
