/**
 * What belongs in a home timeline: own statuses, and those of followed accounts, minus direct ones that do not mention
 * the viewer, reblogs and languages that the follow leaves out, and replies to accounts the viewer does not follow. `show_reblogs` and languages hold for
 * statuses from their change on (specification 2.6), so a follow remembers what was in force before.
 */

import { timeOfId } from '../../runtime/ids.ts';
import type { List } from '../account/lists/lists.records.ts';
import type { Follow } from '../account/relationships/relationships.records.ts';
import { type ListingFacts, reachesFollowers } from './visibility.ts';

export interface HomeFacts extends ListingFacts {
  readonly id: bigint;
  readonly reblogOfAccountId?: bigint | undefined;
  readonly language?: string | undefined;
  /** Whom it mentions; needed of direct statuses only. */
  readonly mentions?: readonly bigint[] | undefined;
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

/** Does a status of a followed account belong in the follower's home? `follows` answers for the viewer. */
export function belongsInHome(
  status: HomeFacts,
  viewerId: bigint,
  follow: FollowRules,
  follows: (accountId: bigint) => boolean,
): boolean {
  if (status.visibility === 'direct' && !status.mentions?.includes(viewerId)) return false;
  const options = optionsAt(follow, timeOfId(status.id));
  if (status.reblogOfId !== undefined) return options.showReblogs && status.reblogOfAccountId !== viewerId;
  if (!readsLanguage(options, status.language)) return false;
  const parent = status.inReplyToAccountId;
  return parent === undefined || parent === viewerId || parent === status.accountId || follows(parent);
}

/**
 * Does a status of a member, which belongs in its owner's home, belong in the list as well? Replies to others do by the
 * list's policy; those to whom the owner does not follow are in no home already.
 */
export function belongsInList(
  { accountId, inReplyToAccountId: parent }: HomeFacts,
  list: Pick<List, 'accountId' | 'repliesPolicy'>,
  isMember: (accountId: bigint) => boolean,
): boolean {
  if (parent === undefined || parent === accountId || parent === list.accountId) return true;
  if (list.repliesPolicy === 'none') return false;
  return list.repliesPolicy === 'followed' || isMember(parent);
}

/** Whether a follow takes statuses in a language; those whose language is not known it always takes. */
export function readsLanguage(
  { languages }: { readonly languages?: readonly string[] | undefined },
  language: string | undefined,
): boolean {
  return languages === undefined || language === undefined || languages.includes(language);
}

/** Are followers with `notify` notified of it? Not of reblogs and replies to others. */
export function deservesPostNotification(status: ListingFacts): boolean {
  const parent = status.inReplyToAccountId;
  return (
    reachesFollowers(status) && status.reblogOfId === undefined && (parent === undefined || parent === status.accountId)
  );
}
