/** Finds accounts by handle, among known accounts. */
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import { parseHandle } from '../../federation/webfinger/handle.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';

/** The name of a local account, with or without a leading `@`. */
const localName = /^@?([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)$/;

/** `user` or `user@host[:port]`, with or without a leading `@`; of an account of this server, also its address. */
export function accountIdOfHandle(reader: Reader, handle: string, addresses: Addresses): Id | undefined {
  const typed = handle.trim();
  const username = localName.exec(typed)?.[1] ?? addresses.usernameOf(typed);
  if (username !== undefined) return accountIdOfName(reader, nameOfHandle(username, undefined));
  const named = parseHandle(typed);
  if (named === undefined) return undefined;
  const domain = addresses.isOwnHost(named.host) ? undefined : named.host;
  return accountIdOfName(reader, nameOfHandle(named.username, domain));
}
