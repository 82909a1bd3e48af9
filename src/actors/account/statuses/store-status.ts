/** Stores a status and its index entries, and removes them. */

import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { isCounted, isInActivity, isLocalPost } from '../../policy/usage.ts';
import { isForEverybody, isInPublicTimeline, isInTagTimelines } from '../../policy/visibility.ts';
import { tagNames } from '../../search.state.ts';
import { dayOf } from '../../session/session.messages.ts';
import { localTimeline, mediaTimelines, remoteTimeline, tagTimeline } from '../../timelines.state.ts';
import { countActivity, countUsage } from '../../usage.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusHooks } from '../hooks-of-statuses.ts';
import { countAccount } from '../profile/profile.turn.ts';
import { hasOwnMedia, mediaListsOf } from './media-lists.ts';
import { unrank } from './rank-status.ts';
import type { CountedElsewhere } from './status-hooks.ts';
import type { StatusFacts } from './statuses.events.ts';
import type { Status } from './statuses.records.ts';
import {
  mediaOfAccount,
  statusByUri,
  statusCounters,
  statuses,
  statusesOfAccount,
  tombstones,
} from './statuses.state.ts';
import { timelineEntryOf } from './timeline-entry.ts';

/** Stores and counts a new status with its parts; `counted`: elsewhere, of one that comes from there. */
export function storeStatus(turn: AccountTurn, status: Status, facts: StatusFacts, counted?: CountedElsewhere): void {
  writeStatus(turn, status, facts);
  for (const hooks of statusHooks) hooks.stored?.(turn, status, counted);
  if (isCounted(facts)) countAccount(turn, { statuses: 1 }, status.createdAt);
  if (isLocalPost(facts)) countUsage(turn, { statuses: 1 });
  if (status.importedFrom !== undefined) return;
  // What was written elsewhere is no activity of this week here.
  if (isInActivity(facts)) countActivity(turn, 'statuses', dayOf(turn.now));
  if (facts.local && status.heldReply === undefined) tellWebhooks(turn, 'status.created', status.id);
}

/** Writes the record, its entry among the author's statuses and in timelines; for new and changed statuses. */
export function writeStatus(turn: AccountTurn, status: Status, facts: StatusFacts): void {
  turn.put(statuses, [status.id], status);
  turn.put(statusesOfAccount, [status.accountId, status.id], {
    visibility: status.visibility,
    reblogOfId: status.reblogOfId,
    reblogOfAccountId: status.reblogOfAccountId,
    inReplyToAccountId: status.inReplyToAccountId,
    hasMedia: facts.hasMedia,
    language: status.language,
    mentions: status.visibility === 'direct' ? [...facts.mentions, ...(facts.addressed ?? [])] : undefined,
    answersUnknown: status.answersUnknown,
    limited: status.limited,
    localOnly: status.localOnly,
    imported: status.importedFrom === undefined ? undefined : true,
  });
  const entry = timelineEntryOf(status, facts);
  if (isInPublicTimeline(status)) turn.put(facts.local ? localTimeline : remoteTimeline, [status.id], entry);
  if (isInTagTimelines(status))
    for (const tag of facts.tags) {
      turn.put(tagTimeline, [tag, status.id], entry);
      if (turn.get(tagNames, [tag, tag]) === undefined) turn.put(tagNames, [tag, tag], { name: tag });
    }
  if (hasOwnMedia(status)) turn.put(mediaOfAccount, [status.accountId, status.id], true);
  for (const list of mediaListsOf(status)) turn.put(mediaTimelines, [list, status.id], entry);
  const uri = status.uri ?? status.activityUri;
  if (uri !== undefined) turn.put(statusByUri, [uri], { id: status.id });
}

/** Removes all of it; the id stays reserved. */
export function removeStatus(turn: AccountTurn, status: Status, facts: StatusFacts): void {
  turn.delete(statuses, [status.id]);
  turn.delete(statusesOfAccount, [status.accountId, status.id]);
  turn.delete(statusCounters, [status.id]);
  unrank(turn, status.id);
  for (const hooks of statusHooks) hooks.removed?.(turn, status);
  turn.put(tombstones, [status.id], { wasForEverybody: isForEverybody(status) });
  if (isInPublicTimeline(status)) turn.delete(facts.local ? localTimeline : remoteTimeline, [status.id]);
  if (isInTagTimelines(status)) for (const tag of facts.tags) turn.delete(tagTimeline, [tag, status.id]);
  if (hasOwnMedia(status)) turn.delete(mediaOfAccount, [status.accountId, status.id]);
  for (const list of mediaListsOf(status)) turn.delete(mediaTimelines, [list, status.id]);
  const uri = status.uri ?? status.activityUri;
  if (uri !== undefined) turn.delete(statusByUri, [uri]);
  if (isCounted(facts)) countAccount(turn, { statuses: -1 });
  if (isLocalPost(facts)) countUsage(turn, { statuses: -1 });
}
