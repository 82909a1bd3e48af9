/**
 * Whether mail leaves this machine. Each partition has a copy of what the options say, which its accounts read where a
 * mail is of use only to those who get it; the network thread tells it at its start (outbound/mail/tell-route.ts).
 */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { keyspace, uint32 } from '../../runtime/storage/keyspace.ts';
import { type EntryToPut, entryToPut, type MoveInput, type Relocation } from '../../runtime/storage/relocation.ts';

export const MailRoute = z.object({
  /** Otherwise it is written into files. */
  isSmtp: z.boolean(),
});
export type MailRoute = z.infer<typeof MailRoute>;

export const mailRoute = keyspace<[number], MailRoute>({
  number: 253,
  name: 'mail route',
  owner: 'partition',
  sharedWith: ['account'],
  partitionWide: true,
  absentIfDamaged: true,
  key: [uint32('one')],
  value: record(MailRoute),
  bound: { by: 'count', entries: 1 },
});

/** All partitions have the same copy. */
function* moved({ readers, to }: MoveInput): Generator<EntryToPut> {
  const known = readers[0]?.get(mailRoute, [0]);
  if (known === undefined) return;
  for (let partition = 0; partition < to.partitions; partition += 1) yield entryToPut(partition, mailRoute, [0], known);
}

export const mailRouteRelocation: Relocation = { kind: 'together', keyspaces: [mailRoute], move: moved };
