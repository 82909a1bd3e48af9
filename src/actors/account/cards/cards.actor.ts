/** Cards of statuses: taken over from the host of the page. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { isInPublicTimeline } from '../../policy/visibility.ts';
import { linkTimeline } from '../../timelines.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { factsOf } from '../statuses/status-facts.ts';
import { statusCounted } from '../statuses/statuses.events.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { timelineEntryOf } from '../statuses/timeline-entry.ts';
import { cardMessages } from './cards.messages.ts';
import { cardOf, linkOfCard } from './cards.queries.ts';
import { cardRules } from './cards.rules.ts';

/** Ignored by a status that is gone, or links to something else by now. */
function cardFound(turn: AccountTurn, { statusId, url, card }: BodyOf<typeof cardMessages.cardFound>): undefined {
  const status = turn.get(statuses, [statusId]);
  if (status === undefined || linkOfCard(status) !== url) return;
  const former = cardOf(status);
  turn.put(statuses, [statusId], { ...status, card });
  if (isInPublicTimeline(status)) {
    if (former !== undefined && former.url !== card.url) turn.delete(linkTimeline, [former.url, statusId]);
    turn.put(linkTimeline, [card.url, statusId], timelineEntryOf(status, factsOf(status)));
  }
  turn.emit(statusCounted, { id: statusId });
}

export const cardsFeature = feature<AccountTurn>()({
  messages: cardMessages,
  handlers: { cardFound },
  state: [],
  rules: cardRules,
});
