/** Reads of the relays that this server has joined. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { relayKey } from '../relay.key.ts';
import type { JoinedRelay } from './joined.records.ts';
import { joinedRelays } from './joined.state.ts';

/** Those joined first come first. */
export function allJoinedRelays(reader: Reader): JoinedRelay[] {
  return Array.from(reader.range(joinedRelays, [relayKey]), ({ value }) => value);
}
