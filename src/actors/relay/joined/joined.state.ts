/** The relays that this server has joined: keyspace 242. Each partition has a copy of where posts go (partition/relays.state.ts). */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { relayLimits } from '../limits.ts';
import { JoinedRelay } from './joined.records.ts';

export const joinedRelays = keyspace<[string, bigint], JoinedRelay>({
  number: 242,
  name: 'joined relays',
  owner: 'relay',
  key: [hashedString('relay'), id('joined')],
  value: record(JoinedRelay),
  bound: { by: 'count', entries: relayLimits.joinedMax },
});
