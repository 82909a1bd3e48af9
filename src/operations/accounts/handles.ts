/** Finds accounts by handle, among known accounts. */
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';

/** `user`, `user@host`, with or without a leading `@`; the host[:port] as written. */
const handlePattern = /^@?([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)(?:@([^\s@/]+))?$/;

export function accountIdOfHandle(reader: Reader, handle: string, addresses: Addresses): Id | undefined {
  const found = handlePattern.exec(handle.trim());
  if (found === null) return undefined;
  const [, username, domain] = found;
  const host = domain?.toLowerCase();
  return accountIdOfName(
    reader,
    nameOfHandle(username!, host !== undefined && addresses.isOwnHost(host) ? undefined : host),
  );
}
