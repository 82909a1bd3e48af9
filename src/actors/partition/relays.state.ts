/**
 * Where public posts go besides to followers: the inboxes of relays that this server has joined. Each partition has a
 * copy, which its accounts read when they publish; the relay actor sends each change to all of them.
 */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { keyspace, uint32 } from '../../runtime/storage/keyspace.ts';
import { type EntryToPut, entryToPut, type MoveInput, type Relocation } from '../../runtime/storage/relocation.ts';
import { identifier } from '../account/account.records.ts';
import type { Destination } from '../intents.ts';

export const RelayDestinations = z.object({
  /** Later ones are greater. */
  version: identifier,
  destinations: z.array(z.object({ host: z.string(), inbox: z.string() })),
});
export type RelayDestinations = z.infer<typeof RelayDestinations>;

export const relayDestinations = keyspace<[number], RelayDestinations>({
  number: 248,
  name: 'relay destinations',
  owner: 'partition',
  sharedWith: ['account'],
  partitionWide: true,
  key: [uint32('one')],
  value: record(RelayDestinations),
  bound: { by: 'count', entries: 1 },
});

export function relaysThatGetPosts(turn: Pick<Turn<bigint>, 'get'>): readonly Destination[] {
  return turn.get(relayDestinations, [0])?.destinations ?? [];
}

/** All partitions get the same copy, the newest. */
function* moved({ readers, to }: MoveInput): Generator<EntryToPut> {
  let newest: RelayDestinations | undefined;
  for (const reader of readers) {
    const known = reader.get(relayDestinations, [0]);
    if (known !== undefined && (newest === undefined || known.version > newest.version)) newest = known;
  }
  if (newest === undefined) return;
  for (let partition = 0; partition < to.partitions; partition += 1)
    yield entryToPut(partition, relayDestinations, [0], newest);
}

export const relayDestinationsRelocation: Relocation = {
  kind: 'together',
  keyspaces: [relayDestinations],
  move: moved,
};
