/** What must hold between statuses, their cards and the timelines of links. */
import { isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { linkTimeline } from '../../timelines.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { linkListsOf } from './cards.queries.ts';

export const cardRules: readonly Rule[] = [
  rule(statuses, (_key, status, reader) =>
    linkListsOf(status).every((list) => reader.get(linkTimeline, [list, status.id]) !== undefined)
      ? undefined
      : 'is not in the timeline of its link',
  ),
  rule(linkTimeline, ([, id], _entry, reader, bytes) => {
    const status = reader.get(statuses, [id]);
    return status !== undefined && linkListsOf(status).some((list) => isKey(linkTimeline, [list, id], bytes))
      ? undefined
      : 'leads to a status without this link';
  }),
];
