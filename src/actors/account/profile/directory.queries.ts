/** Accounts that want to be found by strangers (`discoverable`), newest or most active first. */
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { mergeIds } from '../../merge.ts';
import type { Viewer } from '../../policy/visibility.ts';
import { discoverableAccounts, discoverableLocals } from '../../search.state.ts';
import { accountCounters } from './profile.state.ts';
import { type AccountView, findPublicAccount } from './profiles.queries.ts';

/** Accounts examined: of more than these only the newest. */
const listedMax = 1_000;

export interface DirectoryPage {
  readonly order: 'active' | 'new';
  readonly localOnly: boolean;
  readonly offset: number;
  readonly limit: number;
}

export function listedAccounts(snapshots: Snapshots, viewer: Viewer, page: DirectoryPage): AccountView[] {
  const newest = newestListed(snapshots, page.localOnly);
  const ids = page.order === 'new' ? newest : byActivity(snapshots, newest);
  const found: AccountView[] = [];
  for (const accountId of ids) {
    const account = findPublicAccount(snapshots, accountId);
    if (account === undefined || !isShown(account, viewer)) continue;
    found.push(account);
    if (found.length === page.offset + page.limit) break;
  }
  return found.slice(page.offset);
}

function newestListed(snapshots: Snapshots, localOnly: boolean): Id[] {
  const range = { reverse: true, limit: listedMax };
  const sources = snapshots.partitions.map(function* (partition) {
    const listed = localOnly
      ? partition.range(discoverableLocals, [], range)
      : partition.range(discoverableAccounts, [], range);
    for (const { key } of listed) yield key[0];
  });
  const ids: Id[] = [];
  for (const accountId of mergeIds(sources, 'newest first')) if (ids.push(accountId) === listedMax) break;
  return ids;
}

function byActivity(snapshots: Snapshots, ids: readonly Id[]): Id[] {
  const activity = new Map(ids.map((id) => [id, snapshots.get(accountCounters, [id])?.lastStatusAt ?? 0]));
  return ids.toSorted((one, other) => activity.get(other)! - activity.get(one)!);
}

function isShown({ profile }: AccountView, viewer: Viewer): boolean {
  const { id, domain, suspendedAt, movedTo, limited } = profile;
  if (suspendedAt !== undefined || movedTo !== undefined || limited) return false;
  return !(viewer.blocks(id) || viewer.mutes(id) || viewer.hidesDomain(domain));
}
