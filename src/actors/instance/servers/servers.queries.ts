/** Reads of what staff have decided about other servers besides their rules. */
import type { Reader } from '../../../runtime/storage/reader.ts';
import { firstOf } from '../../policy/domains.ts';
import { instanceKey } from '../instance.messages.ts';
import type { ServerPurge, StoppedServer } from './servers.records.ts';
import { serverPurges, stoppedServers } from './servers.state.ts';

/** In no particular order. */
export function* allStoppedServers(reader: Reader): Generator<StoppedServer> {
  for (const { value } of reader.range(stoppedServers, [instanceKey])) yield value;
}

/** The decision for the host, or for a domain above it. */
export function stopOf(reader: Reader, host: string): StoppedServer | undefined {
  return firstOf(host, (domain) => reader.get(stoppedServers, [instanceKey, domain]));
}

/** The last one of each server, in no particular order. */
export function* allPurges(reader: Reader): Generator<ServerPurge> {
  for (const { value } of reader.range(serverPurges, [instanceKey])) yield value;
}

/** Undefined where the server was never purged. */
export function findPurge(reader: Reader, domain: string): ServerPurge | undefined {
  return reader.get(serverPurges, [instanceKey, domain]);
}
