/** Reads the state of remote hosts. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { SignatureDialect } from './domain.messages.ts';
import { followerInboxes, signatureDialects } from './domain.state.ts';

/** The followers of a local account behind one inbox of a host, among the first `limit` there. */
export function followersBehind(reader: Reader, host: string, accountId: Id, inbox: string, limit: number): Id[] {
  const followers: Id[] = [];
  for (const { key, value } of reader.range(followerInboxes, [host, accountId], { limit }))
    if (value.inbox === inbox) followers.push(key[2]);
  return followers;
}

/** Undefined for a host of which nothing is known. */
export function findSignatureDialect(reader: Reader, host: string): SignatureDialect | undefined {
  return reader.get(signatureDialects, [host]);
}
