/**
 * What belongs in a home timeline: own statuses and those of followed accounts, without direct ones that are not for
 * the viewer, without reblogs and languages that the follow excludes, and without replies to accounts that the viewer
 * does not follow, or to statuses that are not known here. What was imported is in no home, not even in that of its author. Reblogs of the viewer's own statuses are reblogs like any
 * other. `show_reblogs` and languages apply to statuses from their change on (specification 2.6), so a follow stores its
 * earlier options.
 */

import { timeOfId } from '../../runtime/ids.ts';
import type { List } from '../account/lists/lists.records.ts';
import type { Follow } from '../account/relationships/relationships.records.ts';
import { type ListingFacts, reachesFollowers, repliesToOther } from './visibility.ts';

export interface HomeFacts extends ListingFacts {
  readonly id: bigint;
  readonly language?: string | undefined;
  /** The accounts it mentions, and others that it is addressed to; needed for direct statuses only. */
  readonly mentions?: readonly bigint[] | undefined;
  readonly addressed?: readonly bigint[] | undefined;
  /** The same as `importedFrom`, in summaries. */
  readonly imported?: boolean | undefined;
}

type FollowRules = Pick<Follow, 'showReblogs' | 'languages' | 'history'>;

/** The options of a follow that were in force at a time. */
function optionsAt(
  follow: FollowRules,
  at: number,
): { showReblogs: boolean; languages?: readonly string[] | undefined } {
  let options: { showReblogs: boolean; languages?: readonly string[] | undefined } = follow;
  for (const earlier of follow.history) {
    if (at >= earlier.until) break;
    options = earlier;
  }
  return options;
}

export function isInHomes({ importedFrom, imported }: Pick<HomeFacts, 'importedFrom' | 'imported'>): boolean {
  return importedFrom === undefined && imported !== true;
}

/** Whether a status of a followed account belongs in the follower's home. `follows` answers for the viewer. */
export function belongsInHome(
  status: HomeFacts,
  viewerId: bigint,
  follow: FollowRules,
  follows: (accountId: bigint) => boolean,
): boolean {
  if (!isInHomes(status) || (status.visibility === 'direct' && !isFor(status, viewerId))) return false;
  const options = optionsAt(follow, timeOfId(status.id));
  if (status.reblogOfId !== undefined) return options.showReblogs;
  if (status.answersUnknown === true || !readsLanguage(options, status.language)) return false;
  const parent = status.inReplyToAccountId;
  return parent === undefined || parent === viewerId || parent === status.accountId || follows(parent);
}

function isFor({ mentions, addressed }: HomeFacts, viewerId: bigint): boolean {
  return mentions?.includes(viewerId) === true || addressed?.includes(viewerId) === true;
}

/**
 * Whether a member's status that belongs in the owner's home belongs in the list too. Direct ones do not (behaviour of the
 * Mastodon API). Replies to others do by the list's policy; those to accounts that the owner does not follow are in no
 * home.
 */
export function belongsInList(
  facts: HomeFacts,
  list: Pick<List, 'accountId' | 'repliesPolicy'>,
  isMember: (accountId: bigint) => boolean,
): boolean {
  const { accountId, inReplyToAccountId: parent } = facts;
  if (!reachesFollowers(facts)) return false;
  if (parent === undefined || parent === accountId || parent === list.accountId) return true;
  if (list.repliesPolicy === 'none') return false;
  return list.repliesPolicy === 'followed' || isMember(parent);
}

/** Whether a follow includes statuses in a language; those without a known language are always included. */
export function readsLanguage(
  { languages }: { readonly languages?: readonly string[] | undefined },
  language: string | undefined,
): boolean {
  return languages === undefined || language === undefined || languages.includes(language);
}

/** Whether followers with `notify` are notified of it: not of reblogs and replies to others. */
export function deservesPostNotification(status: ListingFacts): boolean {
  return reachesFollowers(status) && status.reblogOfId === undefined && !repliesToOther(status, status.accountId);
}
