/** What an account has chosen for itself, as files in the forms of Mastodon: names of columns, and which have a header. */
import { z } from 'zod';
import { filtersOf } from '../../actors/account/filters/filters.queries.ts';
import { allMutesOf, blockedIdsOf, bookmarksAfter, followsOf } from '../../actors/account/leaving/leaving.queries.ts';
import { listsOf, memberIdsOf } from '../../actors/account/lists/lists.queries.ts';
import { blockedDomains } from '../../actors/account/relationships/blocked-domains.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { csvLine } from '../../actors/policy/csv.ts';
import { statusAddress } from '../../federation/documents/quote-documents.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { operation } from '../operation.ts';

export const listNames = ['follows', 'blocks', 'mutes', 'domainBlocks', 'lists', 'bookmarks', 'filters'] as const;
export const ListName = z.enum(listNames);
export type ListName = z.infer<typeof ListName>;

/** The names of the files, without their ending. */
export const fileOfList: Readonly<Record<ListName, string>> = {
  follows: 'follows',
  blocks: 'blocks',
  mutes: 'mutes',
  domainBlocks: 'domain_blocks',
  lists: 'lists',
  bookmarks: 'bookmarks',
  filters: 'filters',
};

type Source = Pick<Services, 'snapshots' | 'addresses' | 'now'>;
type Rows = (source: Source, accountId: Id) => Iterable<readonly string[]>;

const rowsOf: Readonly<Record<ListName, Rows>> = {
  *follows(source, accountId) {
    yield ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'];
    for (const { targetId, state, showReblogs, notify, languages = [] } of followsOf(source.snapshots, accountId)) {
      const address = state === 'accepted' ? addressOf(source, targetId) : undefined;
      if (address !== undefined) yield [address, String(showReblogs), String(notify), languages.join(', ')];
    }
  },
  *blocks(source, accountId) {
    for (const targetId of blockedIdsOf(source.snapshots, accountId)) yield* only(addressOf(source, targetId));
  },
  *mutes(source, accountId) {
    yield ['Account address', 'Hide notifications'];
    for (const { targetId, hideNotifications, expiresAt } of allMutesOf(source.snapshots, accountId)) {
      const isOver = expiresAt !== undefined && expiresAt <= source.now();
      const address = isOver ? undefined : addressOf(source, targetId);
      if (address !== undefined) yield [address, String(hideNotifications)];
    }
  },
  *domainBlocks({ snapshots }, accountId) {
    for (const domain of [...blockedDomains(snapshots, accountId)].sort()) yield [domain];
  },
  *lists(source, accountId) {
    for (const { id, title } of listsOf(source.snapshots, accountId))
      for (const memberId of memberIdsOf(source.snapshots, id))
        for (const row of only(addressOf(source, memberId))) yield [title, ...row];
  },
  *bookmarks({ snapshots, addresses }, accountId) {
    for (const { statusId } of bookmarksAfter(snapshots, accountId, undefined, Number.MAX_SAFE_INTEGER))
      yield* only(statusAddress(snapshots, addresses, statusId));
  },
  /** Our own form: one row for each word. */
  *filters({ snapshots }, accountId) {
    yield ['Title', 'Context', 'Keyword', 'Whole word', 'Action', 'Expires at'];
    for (const { title, contexts, keywords, action, expiresAt } of filtersOf(snapshots, accountId))
      for (const { keyword, wholeWord } of keywords) {
        const until = expiresAt === undefined ? '' : new Date(expiresAt).toISOString();
        yield [title, contexts.join(', '), keyword, String(wholeWord), action, until];
      }
  },
};

function only(value: string | undefined): (readonly string[])[] {
  return value === undefined ? [] : [[value]];
}

/** `user@host`, also of accounts of this server; undefined for one that is gone. */
function addressOf({ snapshots, addresses }: Source, accountId: Id): string | undefined {
  const profile = findProfile(snapshots, accountId);
  if (profile === undefined || profile.deletedRemotelyAt !== undefined) return undefined;
  return `${profile.username}@${profile.domain ?? addresses.domain}`;
}

export function csvOf(source: Source, accountId: Id, list: ListName): string {
  return Array.from(rowsOf[list](source, accountId), csvLine).join('');
}

export const exportList = operation({
  input: z.object({ list: ListName }),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, { list }): string => csvOf(services, caller.accountId, list),
});
