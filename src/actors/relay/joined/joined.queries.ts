/** Reads of the relays that this server has joined. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { relayKey } from '../relay.key.ts';
import type { JoinedReceipts, JoinedRelay } from './joined.records.ts';
import { joinedReceipts, joinedRelays } from './joined.state.ts';

/** Those joined first come first. */
export function allJoinedRelays(reader: Reader): JoinedRelay[] {
  return Array.from(reader.range(joinedRelays, [relayKey]), ({ value }) => value);
}

export function hasJoinedRelays(reader: Reader): boolean {
  for (const _relay of reader.range(joinedRelays, [relayKey], { limit: 1 })) return true;
  return false;
}

/** What it has brought; undefined before the first time. */
export function findReceipts(reader: Reader, relay: bigint): JoinedReceipts | undefined {
  return reader.get(joinedReceipts, [relayKey, relay]);
}
