/** Finds statuses by their text, for accounts: among those in their library, and those that everybody may find. */

import { isInLibrary } from '../../actors/account/library.queries.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { isForAll } from '../../services/search/entry.ts';
import { searchLimits } from '../../services/search/limits.ts';
import type { SearchScope } from '../../services/search/search.ts';
import type { Services } from '../../services/services.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import type { OperationContext } from '../operation.ts';
import { isShown } from '../presentation/contexts.ts';
import { everyId, type ReadQuery, readQuery } from './query-language.ts';
import { TimeZone } from './time-zones.ts';

export interface StatusSearch {
  readonly words: string;
  /** Only statuses of this account, and between these ids. */
  readonly authorId?: Id | undefined;
  readonly minId?: Id | undefined;
  readonly maxId?: Id | undefined;
  /** Whose days the words mean; those of UTC where it is undefined. */
  readonly timeZone?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Found statuses that are looked at for one answer: a viewer may hide many. */
const examinedMax = 4_000;
/** After so long the index is not asked for more. */
const askingMilliseconds = 1_000;

/** A handle alone names an account. */
const handleOnly = /^@\S+$/;

/** Newest first; all are shown to the caller. Throws Failure as `Search.find` does. */
export async function statusesFor({ caller, services }: OperationContext, search: StatusSearch): Promise<Id[]> {
  const { accountId: askerId } = caller;
  const { snapshots, addresses } = services;
  if (askerId === undefined || services.search === undefined || handleOnly.test(search.words)) return [];
  const accountOf = (handle: string) => accountIdOfHandle(snapshots, handle, addresses);
  const timeZone = search.timeZone === undefined ? undefined : new TimeZone(search.timeZone);
  const read = readQuery(search.words, { askerId, accountOf, timeZone });
  return read === undefined ? [] : pageOf(services, askerId, narrowed(read, search), search);
}

function narrowed(query: ReadQuery, { authorId, minId, maxId }: StatusSearch): ReadQuery {
  return {
    ...query,
    required: authorId === undefined ? query.required : [...query.required, { authorId }],
    minId: greater(query.minId, minId ?? everyId.minId),
    maxId: -greater(-query.maxId, -(maxId ?? everyId.maxId)),
  };
}

function greater(one: Id, other: Id): Id {
  return one > other ? one : other;
}

async function pageOf(
  services: Services,
  askerId: Id,
  query: ReadQuery,
  { offset, limit }: StatusSearch,
): Promise<Id[]> {
  const shown: Id[] = [];
  const begun = services.monotonic();
  let { maxId } = query;
  for (let examined = 0; examined < examinedMax && shown.length < offset + limit; ) {
    if (services.monotonic() - begun > askingMilliseconds) break;
    const wanted = Math.min(searchLimits.foundMax, offset + limit - shown.length + limit);
    const found = await services.search!.find({ ...query, askerId, maxId, limit: wanted });
    // Decided after the wait: what the asker hides meanwhile is not shown.
    const viewer = viewerOf(services.snapshots, askerId, services.now());
    shown.push(...found.filter((id) => mayFind(services, id, viewer, query.scope)));
    examined += found.length;
    const last = found.at(-1);
    if (last === undefined || found.length < wanted) break;
    maxId = last;
  }
  return shown.slice(offset, offset + limit);
}

/** By what is stored now: the index may be behind. */
function mayFind({ snapshots }: Services, statusId: Id, viewer: Viewer, scope: SearchScope): boolean {
  const view = findStatus(snapshots, statusId);
  if (view === undefined) return false;
  const { status, author } = view;
  const { limited: isLimited, suspendedAt, domain } = author.profile;
  if (!isShown(status, { isLimited, isSuspended: suspendedAt !== undefined, domain }, viewer, 'search')) return false;
  const isPublic = isForAll(status, author.profile);
  if (scope === 'public') return isPublic;
  return (isPublic && scope === 'all') || isInLibrary(snapshots, viewer.accountId!, status);
}
