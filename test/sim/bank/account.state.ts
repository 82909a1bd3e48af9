/** The keyspaces of accounts and vaults. Everything that took effect on an account is in its journal, in order. */
import { z } from 'zod';
import { packed, present, record } from '../../../src/runtime/codec.ts';
import { id, keyspace, position, uint32, uint53 } from '../../../src/runtime/storage/keyspace.ts';

const bound = { by: 'owner', reason: 'a run is short' } as const;
const owner = 'account';

const Ledger = z.object({ position: z.number(), balance: z.number() });
export type Ledger = z.infer<typeof Ledger>;

export const Entry = z.object({
  what: z.string(),
  operation: z.number(),
  amount: z.number().default(0),
  /** The other account, if there is one, and the number of the message from it. */
  other: z.bigint().optional(),
  sequence: z.number().optional(),
  /** A further value, such as an answer or a time. */
  value: z.number().optional(),
  /** The date of a timer that the wall clock has not reached, in the partition that set it. */
  dueAfter: z.number().optional(),
});
export type Entry = z.infer<typeof Entry>;

export const ledgers = keyspace<[bigint], Ledger>({
  number: 220,
  name: 'ledgers',
  remembered: true,
  owner,
  key: [id('account')],
  value: record(Ledger),
  bound,
});
export const journal = keyspace<[bigint, number], Entry>({
  number: 221,
  name: 'journal',
  owner,
  key: [id('account'), uint53('position')],
  value: record(Entry),
  bound,
});
/** The number of the last message to another account. */
export const sent = keyspace<[bigint, bigint], number>({
  number: 222,
  name: 'sent',
  sparse: true,
  owner,
  key: [id('account'), id('other')],
  value: packed(),
  bound,
});
/** Operations that are waiting for something; deleted when it comes. */
export const waiting = keyspace<[bigint, number], true>({
  number: 223,
  name: 'waiting',
  sparse: true,
  owner,
  key: [id('account'), uint53('operation')],
  value: present,
  bound,
});
export const minted = keyspace<[bigint], bigint>({
  number: 224,
  name: 'minted',
  owner,
  partitionWide: true,
  key: [position('id')],
  value: packed(),
  bound,
});
export const tallies = keyspace<[number], number>({
  number: 225,
  name: 'tallies',
  owner: 'vault',
  partitionWide: true,
  key: [uint32('always 0')],
  value: packed(),
  bound,
});

export const bankKeyspaces = [ledgers, journal, sent, waiting, minted, tallies] as const;
