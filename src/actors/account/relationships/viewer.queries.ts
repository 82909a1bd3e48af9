/** What a viewer may see: by the follows, blocks and mutes of the account, read when they are needed. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { anonymous, type Viewer } from '../../policy/visibility.ts';
import { blocksDomain } from './blocked-domains.queries.ts';
import { blockedBy, blocks, following, mutes } from './relationships.state.ts';

/** An account as a viewer. Reads storage only when it is asked. */
export function viewerOf(reader: Reader, accountId: Id | undefined, now: number): Viewer {
  if (accountId === undefined) return anonymous;
  return {
    accountId,
    follows: (other) => reader.get(following, [accountId, other])?.state === 'accepted',
    blocks: (other) =>
      reader.get(blocks, [accountId, other]) !== undefined || reader.get(blockedBy, [accountId, other]) !== undefined,
    hasBlocked: (other) => reader.get(blocks, [accountId, other]) !== undefined,
    mutes: (other) => {
      const mute = reader.get(mutes, [accountId, other]);
      return mute !== undefined && (mute.expiresAt === undefined || mute.expiresAt > now);
    },
    hidesDomain: (domain) => blocksDomain(reader, accountId, domain),
  };
}

/**
 * Accounts whose statuses a viewer does not see in timelines, each with the end of that (milliseconds; Infinity for
 * ever).
 */
export type HiddenAccounts = ReadonlyMap<Id, number>;

export function hiddenAccounts(reader: Reader, accountId: Id): HiddenAccounts {
  const hidden = new Map<Id, number>();
  for (const { key, value } of reader.range(mutes, [accountId]))
    hidden.set(key[1], value.expiresAt ?? Number.POSITIVE_INFINITY);
  for (const { key } of reader.range(blocks, [accountId])) hidden.set(key[1], Number.POSITIVE_INFINITY);
  for (const { key } of reader.range(blockedBy, [accountId])) hidden.set(key[1], Number.POSITIVE_INFINITY);
  return hidden;
}
