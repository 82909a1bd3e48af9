/** How a status is listed in timelines. */
import type { TimelineEntry } from '../../timelines.state.ts';
import type { StatusFacts } from './statuses.events.ts';
import type { Status } from './statuses.records.ts';

export function timelineEntryOf({ accountId, language }: Status, { local, hasMedia }: StatusFacts): TimelineEntry {
  return { accountId, local, hasMedia, language };
}
