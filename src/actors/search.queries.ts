/** Reads the accounts of other servers by their hosts. */
import type { Id } from '../runtime/ids.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import { type AccountOfHost, accountsOfHosts } from './search.state.ts';

interface FoundAccount extends AccountOfHost {
  readonly id: Id;
}

/** All of a partition, host by host, from the one after `after` on. */
export function* accountsOfHostsFrom(
  partition: Reader,
  after: { readonly host: string; readonly accountId: Id } | undefined,
): Generator<FoundAccount> {
  if (after !== undefined) yield* accountsOfHost(partition, after.host, after.accountId + 1n);
  const rest = after === undefined ? {} : { from: after.host };
  for (const { key, value } of partition.range(accountsOfHosts, [], rest))
    if (value.host !== after?.host) yield { ...value, id: key[1] };
}

/** Any account of the host, of those that one partition has. */
export function accountOfHost(partition: Reader, host: string): Id | undefined {
  for (const { key } of partition.range(accountsOfHosts, [host], { limit: 1 })) return key[1];
  return undefined;
}

/** Without those that were purged. */
export function* accountIdsOfHost(partition: Reader, host: string, after?: Id): Generator<Id> {
  const rest = after === undefined ? {} : { from: after + 1n };
  for (const { key, value } of partition.range(accountsOfHosts, [host], rest))
    if (value.isPurged !== true) yield key[1];
}

/** Also those that were purged, of which some were met again. */
export function* accountsOfHost(partition: Reader, host: string, from: Id): Generator<FoundAccount> {
  for (const { key, value } of partition.range(accountsOfHosts, [host], { from })) yield { ...value, id: key[1] };
}
