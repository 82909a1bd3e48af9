/** The relays that this server has joined: keyspaces 242 and 120. Each partition has a copy of where posts go (partition/relays.state.ts). */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { type Rule, rule } from '../../../runtime/storage/rules.ts';
import { relayLimits } from '../limits.ts';
import { relayKey } from '../relay.key.ts';
import { JoinedReceipts, JoinedRelay } from './joined.records.ts';

export const joinedRelays = keyspace<[string, bigint], JoinedRelay>({
  number: 242,
  name: 'joined relays',
  owner: 'relay',
  key: [hashedString('relay'), id('joined')],
  value: record(JoinedRelay),
  bound: { by: 'count', entries: relayLimits.joinedMax },
});

export const joinedReceipts = keyspace<[string, bigint], JoinedReceipts>({
  number: 120,
  name: 'joined relay receipts',
  owner: 'relay',
  absentIfDamaged: true,
  key: [hashedString('relay'), id('joined')],
  value: record(JoinedReceipts),
  bound: { by: 'count', entries: relayLimits.joinedMax },
});

export const joinedRules: readonly Rule[] = [
  rule(joinedReceipts, ([, relay], _counts, reader) =>
    reader.get(joinedRelays, [relayKey, relay]) === undefined ? 'are of no relay that was joined' : undefined,
  ),
];
