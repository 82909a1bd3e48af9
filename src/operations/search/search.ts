/**
 * Searches accounts and tags by the beginnings of their names, and statuses by their text (specification 4.3). For an
 * address the only result is the object at it.
 */

import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { findVisibleStatus } from '../../actors/account/status-views.queries.ts';
import { tagsBeginningWith } from '../../actors/tags.queries.ts';
import { foldTagName } from '../../actors/text/hashtags.ts';
import { onlyUnreachable } from '../../federation/failures.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { foundAccounts, searchForAccounts } from '../accounts/search-accounts.ts';
import { type OperationContext, operation } from '../operation.ts';
import { type ShownCollection, visibleCollection } from '../presentation/collections.ts';
import { Reviews } from '../trends/reviews.ts';
import { isWebAddress, whatIsAt } from './resolve-address.ts';
import { statusesFor } from './search-statuses.ts';
import { isTimeZone } from './time-zones.ts';

export const searchedKinds = ['accounts', 'hashtags', 'statuses'] as const;
export type SearchedKind = (typeof searchedKinds)[number];

const temporary: ReadonlySet<string> = new Set(['overloaded', 'expired', 'storageUnavailable', 'outcomeUnknown']);

const SearchInput = z.object({
  words: z.string(),
  /** Undefined for all kinds, without an offset. */
  kind: z.enum(searchedKinds).optional(),
  resolve: z.boolean(),
  followedOnly: z.boolean(),
  /** Only hashtags that staff have reviewed. */
  excludeUnreviewed: z.boolean().optional(),
  /** Only statuses of this account, and between these ids. */
  authorId: identifier.optional(),
  minId: identifier.optional(),
  maxId: identifier.optional(),
  /** Whose days the words mean, such as Europe/Berlin; those of UTC where it is undefined. */
  timeZone: z.string().refine(isTimeZone).optional(),
  offset: z.int().min(0),
  limit: z.int().min(1),
});
type SearchInput = z.output<typeof SearchInput>;

export interface SearchResults {
  readonly accountIds: readonly Id[];
  /** All visible to the caller. */
  readonly statusIds: readonly Id[];
  readonly tags: readonly string[];
  /** Found by address; visible to the caller. */
  readonly collections: readonly ShownCollection[];
}

export const search = operation({
  input: SearchInput,
  permission: 'look',
  async run(context, input): Promise<SearchResults> {
    const wants = (kind: SearchedKind) => input.kind === undefined || input.kind === kind;
    const page = { ...input, offset: input.kind === undefined ? 0 : input.offset };
    if (isWebAddress(input.words)) return atAddress(context, page, wants);
    return {
      accountIds: wants('accounts') && !input.words.startsWith('#') ? await accountsFor(context, page) : [],
      statusIds: wants('statuses') ? await foundStatuses(context, page, input.kind) : [],
      tags: wants('hashtags') ? await context.services.slices.run(foundTags(context, page), context.caller.asker) : [],
      collections: [],
    };
  },
});

/** Those known here, where the server of an unknown one does not answer (behaviour of the Mastodon API). */
async function accountsFor(context: OperationContext, page: SearchInput): Promise<readonly Id[]> {
  const found = await searchForAccounts(context, page).catch(onlyUnreachable);
  return found ?? searchForAccounts(context, { ...page, resolve: false });
}

/** Where others are wanted too, these are found also while the index cannot be asked. */
async function foundStatuses(
  context: OperationContext,
  page: SearchInput,
  kind: SearchedKind | undefined,
): Promise<readonly Id[]> {
  try {
    return await statusesFor(context, page);
  } catch (error) {
    const isPartOnly = kind === undefined && error instanceof Failure && temporary.has(error.code);
    if (!isPartOnly) throw error;
    return [];
  }
}

async function atAddress(
  context: OperationContext,
  input: SearchInput,
  wants: (kind: SearchedKind) => boolean,
): Promise<SearchResults> {
  const asked = input.offset > 0 ? undefined : whatIsAt(context, input.words, input.resolve);
  const resolved = await asked?.catch(onlyUnreachable);
  const results = { accountIds: [], statusIds: [], tags: [], collections: [] };
  if (resolved === undefined) return results;
  if ('statusId' in resolved)
    return wants('statuses') ? { ...results, statusIds: visibleStatus(context, input, resolved.statusId) } : results;
  if ('collectionId' in resolved)
    return { ...results, collections: input.kind === undefined ? atCollection(context, resolved.collectionId) : [] };
  return wants('accounts')
    ? { ...results, accountIds: await foundAccounts(context, input, resolved.accountId) }
    : results;
}

function visibleStatus({ caller, services }: OperationContext, input: SearchInput, statusId: Id): Id[] {
  const { snapshots } = services;
  const found = findVisibleStatus(snapshots, statusId, viewerOf(snapshots, caller.accountId, services.now()));
  if (found === undefined) return [];
  const { id, accountId } = found.status;
  const { authorId = accountId, minId = -1n, maxId = id + 1n } = input;
  return authorId === accountId && id > minId && id < maxId ? [id] : [];
}

function atCollection({ caller, services }: OperationContext, collectionId: Id): ShownCollection[] {
  const { snapshots, now } = services;
  const shown = visibleCollection(snapshots, collectionId, viewerOf(snapshots, caller.accountId, now()));
  return shown === undefined ? [] : [shown];
}

/** A tag that is not listed, or not reviewed where only such are wanted, is found by its whole name only. */
function* foundTags(
  { services }: OperationContext,
  { words, offset, limit, excludeUnreviewed = false }: SearchInput,
): Generator<undefined, string[]> {
  if (words.startsWith('@')) return [];
  const typed = words.replace(/^[#\uff03]/, '');
  const reviews = new Reviews(services);
  const isSuggested = (name: string) => {
    const { isListable, requiresReview } = reviews.tag(name);
    return isListable && !(excludeUnreviewed && requiresReview);
  };
  const names = yield* tagsBeginningWith(services.snapshots, typed);
  return names.filter((name) => name === foldTagName(typed) || isSuggested(name)).slice(offset, offset + limit);
}
