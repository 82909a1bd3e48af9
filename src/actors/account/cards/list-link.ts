/** Writes the link timeline. */
import { linkTimeline } from '../../timelines.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { factsOf } from '../statuses/status-facts.ts';
import type { Status } from '../statuses/statuses.records.ts';
import { timelineEntryOf } from '../statuses/timeline-entry.ts';
import { linkListsOf } from './cards.queries.ts';

/** After a change of a status; undefined for one that is gone. */
export function listLink(turn: AccountTurn, before: Status, after: Status | undefined): void {
  const lists = after === undefined ? [] : linkListsOf(after);
  for (const list of linkListsOf(before)) if (!lists.includes(list)) turn.delete(linkTimeline, [list, before.id]);
  if (after === undefined) return;
  for (const list of lists) turn.put(linkTimeline, [list, after.id], timelineEntryOf(after, factsOf(after)));
}
