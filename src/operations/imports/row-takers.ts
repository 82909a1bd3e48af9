/** How rows of each kind of list are taken over, and what is removed first where a file replaces what is there. */

import type { FilterChanges } from '../../actors/account/filters/filters.messages.ts';
import { filtersOf } from '../../actors/account/filters/filters.queries.ts';
import { FilterAction, FilterContext } from '../../actors/account/filters/filters.records.ts';
import { allRowsOf } from '../../actors/account/imports/imports.queries.ts';
import type { ImportedList } from '../../actors/account/imports/imports.records.ts';
import { allMutesOf, blockedIdsOf, bookmarksAfter, followsOf } from '../../actors/account/leaving/leaving.queries.ts';
import { isOnList, listsOf, memberIdsOf } from '../../actors/account/lists/lists.queries.ts';
import { blockedDomains } from '../../actors/account/relationships/blocked-domains.queries.ts';
import { isTrue } from '../../actors/policy/imported-lists.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import { resolveHandle } from '../accounts/resolve-handle.ts';
import type { AccountCaller } from '../caller.ts';
import { changeFilter } from '../filters/change-filter.ts';
import { removeFilter } from '../filters/remove-filter.ts';
import { bookmarkStatus, unbookmarkStatus } from '../interactions/bookmark-status.ts';
import { createList } from '../lists/change-list.ts';
import { addToList, removeFromList } from '../lists/list-members.ts';
import type { OperationContext } from '../operation.ts';
import { blockAccount } from '../relationships/block-account.ts';
import { blockDomain, unblockDomain } from '../relationships/block-domain.ts';
import { followAccount } from '../relationships/follow-account.ts';
import { muteAccount } from '../relationships/mute-account.ts';
import { unblockAccount } from '../relationships/unblock-account.ts';
import { unfollowAccount } from '../relationships/unfollow-account.ts';
import { unmuteAccount } from '../relationships/unmute-account.ts';
import { knownAtAddress, whatIsAt } from '../search/resolve-address.ts';

type Context = OperationContext<AccountCaller>;
type Values = readonly string[];

export interface RowTaker {
  /** Rows refer to what earlier ones have made. */
  readonly inOrder?: boolean;
  /** False where what it names is not to be found. Throws Failure. */
  take(context: Context, values: Values): Promise<boolean>;
  /** Removes some of what is not in the file; true where there may be more. */
  removeOthers(context: Context, importId: Id): Promise<boolean>;
}

const removedPerSlice = 100;

/** Runs `remove` for the first of those that the file does not name. */
async function removeSome<Item>(
  present: Iterable<Item>,
  isNamed: (item: Item) => boolean,
  remove: (item: Item) => Promise<unknown>,
): Promise<boolean> {
  let removed = 0;
  for (const item of present) {
    if (isNamed(item)) continue;
    if (removed === removedPerSlice) return true;
    await remove(item);
    removed += 1;
  }
  return false;
}

/** What the readable rows of the file name. */
function named<Name>({ caller, services }: Context, importId: Id, nameIn: (values: Values) => Name | undefined) {
  const names = new Set<Name>();
  for (const { values, result } of allRowsOf(services.snapshots, caller.accountId, importId)) {
    const name = result === 'unreadable' ? undefined : nameIn(values);
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** An account that nobody here knows is none that the caller has to do with. */
const knownId =
  ({ services: { snapshots, addresses } }: Context) =>
  ([address = '']: Values) =>
    accountIdOfHandle(snapshots, address, addresses);

/** `act` gets the account of the first value. */
function ofAccounts(
  present: (context: Context) => Iterable<Id>,
  act: (context: Context, accountId: Id, values: Values) => Promise<unknown>,
  undo: (context: Context, accountId: Id) => Promise<unknown>,
): RowTaker {
  return {
    async take(context, values) {
      const accountId = await resolveHandle(context, { handle: values[0]! });
      if (accountId !== undefined) await act(context, accountId, values);
      return accountId !== undefined;
    },
    removeOthers(context, importId) {
      const wanted = named(context, importId, knownId(context));
      return removeSome(
        [...present(context)],
        (accountId) => wanted.has(accountId),
        (accountId) => undo(context, accountId).catch(unlessGone),
      );
    },
  };
}

/** Who is gone needs no undoing. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'notFound') throw error;
}

function* idsOf(entries: Iterable<{ readonly targetId: Id }>): Generator<Id> {
  for (const { targetId } of entries) yield targetId;
}

/** Throws Failure validation for one that nothing would be filtered by. */
function newFilter(
  title: string,
  places: string,
  action: string | undefined,
  until: string,
  now: number,
): FilterChanges {
  const contexts = FilterContext.array().safeParse(places.split(/[\s,]+/).filter((place) => place !== ''));
  const expiresInSeconds = until === '' ? null : Math.ceil((Date.parse(until) - now) / 1_000);
  const isOver = expiresInSeconds !== null && expiresInSeconds <= 0;
  if (!contexts.success || isOver) throw new Failure('validation');
  const chosen = FilterAction.safeParse(action);
  return { title, contexts: contexts.data, action: chosen.data ?? 'warn', expiresInSeconds };
}

export const rowTakers: Readonly<Record<ImportedList, RowTaker>> = {
  follows: ofAccounts(
    ({ caller, services }) => idsOf(followsOf(services.snapshots, caller.accountId)),
    (context, accountId, [, showReblogs, notify, languages = '']) => {
      const chosen = languages.split(/[\s,]+/).filter((language) => language !== '');
      const options = {
        ...{ showReblogs: isTrue(showReblogs), notify: isTrue(notify) },
        ...(chosen.length > 0 && { languages: chosen }),
      };
      return followAccount(context, { accountId, options });
    },
    (context, accountId) => unfollowAccount(context, { accountId }),
  ),
  blocks: ofAccounts(
    ({ caller, services }) => blockedIdsOf(services.snapshots, caller.accountId),
    (context, accountId) => blockAccount(context, { accountId }),
    (context, accountId) => unblockAccount(context, { accountId }),
  ),
  mutes: ofAccounts(
    ({ caller, services }) => idsOf(allMutesOf(services.snapshots, caller.accountId)),
    (context, accountId, [, hideNotifications]) =>
      muteAccount(context, { accountId, hideNotifications: isTrue(hideNotifications), durationSeconds: 0 }),
    (context, accountId) => unmuteAccount(context, { accountId }),
  ),
  domainBlocks: {
    async take(context, [domain = '']) {
      await blockDomain(context, { domain });
      return true;
    },
    removeOthers(context, importId) {
      const wanted = named(context, importId, ([domain = '']) => normaliseHost(domain));
      return removeSome(
        blockedDomains(context.services.snapshots, context.caller.accountId),
        (domain) => wanted.has(domain),
        (domain) => unblockDomain(context, { domain }),
      );
    },
  },
  /** Only members of lists that the file names are removed. */
  lists: {
    inOrder: true,
    async take(context, [title = '', address = '']) {
      const { caller, services } = context;
      const accountId = await resolveHandle(context, { handle: address });
      if (accountId === undefined) return false;
      const present = listsOf(services.snapshots, caller.accountId).find((list) => list.title === title);
      const list = present ?? (await createList(context, { title, repliesPolicy: 'list' as const, exclusive: false }));
      if (!isOnList(services.snapshots, list.id, accountId))
        await addToList(context, { listId: list.id, memberIds: [accountId] });
      return true;
    },
    removeOthers(context, importId) {
      const { caller, services } = context;
      const titles = named(context, importId, ([title]) => title);
      const wanted = named(context, importId, ([title, address = '']) => {
        const accountId = knownId(context)([address]);
        return accountId === undefined ? undefined : `${accountId} ${title}`;
      });
      const members = listsOf(services.snapshots, caller.accountId)
        .filter(({ title }) => titles.has(title))
        .flatMap(({ id, title }) =>
          Array.from(memberIdsOf(services.snapshots, id), (memberId) => ({ id, title, memberId })),
        );
      return removeSome(
        members,
        ({ title, memberId }) => wanted.has(`${memberId} ${title}`),
        ({ id: listId, memberId }) => removeFromList(context, { listId, memberIds: [memberId] }),
      );
    },
  },
  bookmarks: {
    async take(context, [address = '']) {
      const found = await whatIsAt(context, address, true);
      const statusId = found !== undefined && 'statusId' in found ? found.statusId : undefined;
      if (statusId !== undefined) await bookmarkStatus(context, { statusId });
      return statusId !== undefined;
    },
    removeOthers(context, importId) {
      const { caller, services } = context;
      const wanted = named(context, importId, ([address = '']) => {
        const known = knownAtAddress(services, address);
        return known !== undefined && 'statusId' in known ? known.statusId : undefined;
      });
      return removeSome(
        bookmarksAfter(services.snapshots, caller.accountId, undefined, Number.MAX_SAFE_INTEGER),
        ({ statusId }) => wanted.has(statusId),
        ({ statusId }) => unbookmarkStatus(context, { statusId }).catch(unlessGone),
      );
    },
  },
  /** Words of one title are one filter. */
  filters: {
    inOrder: true,
    async take(context, [title = '', places = '', keyword = '', whole, action, until = '']) {
      const { caller, services } = context;
      const wholeWord = isTrue(whole);
      const filter = filtersOf(services.snapshots, caller.accountId).find((one) => one.title === title);
      if (filter?.keywords.some((one) => one.keyword === keyword && one.wholeWord === wholeWord)) return true;
      const changes = filter === undefined ? newFilter(title, places, action, until, services.now()) : {};
      await changeFilter(context, { filterId: filter?.id, changes, keywords: [{ keyword, wholeWord }] });
      return true;
    },
    removeOthers(context, importId) {
      const titles = named(context, importId, ([title]) => title);
      return removeSome(
        filtersOf(context.services.snapshots, context.caller.accountId),
        ({ title }) => titles.has(title),
        ({ id: filterId }) => removeFilter(context, { filterId }),
      );
    },
  },
};
