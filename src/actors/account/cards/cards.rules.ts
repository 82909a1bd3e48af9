/** What must hold between statuses, their cards and the timelines of links. */
import { isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { isInPublicTimeline } from '../../policy/visibility.ts';
import { linkTimeline } from '../../timelines.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { cardOf } from './cards.queries.ts';

export const cardRules: readonly Rule[] = [
  rule(statuses, (_key, status, reader) => {
    const card = cardOf(status);
    if (card === undefined || !isInPublicTimeline(status)) return undefined;
    return reader.get(linkTimeline, [card.url, status.id]) !== undefined
      ? undefined
      : 'is not in the timeline of its link';
  }),
  rule(linkTimeline, ([, id], _entry, reader, bytes) => {
    const status = reader.get(statuses, [id]);
    const card = status && cardOf(status);
    return card !== undefined && isKey(linkTimeline, [card.url, id], bytes)
      ? undefined
      : 'leads to a status without this link';
  }),
];
