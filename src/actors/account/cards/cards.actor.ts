/** Cards of statuses: taken over from the host of the page. */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusCounted } from '../statuses/statuses.events.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { putStatus } from '../statuses/statuses.turn.ts';
import { cardMessages } from './cards.messages.ts';
import { linkOfCard } from './cards.queries.ts';
import { cardRules } from './cards.rules.ts';
import { listLink } from './list-link.ts';

/** Ignored by a status that is gone, or links to something else by now. */
function cardFound(turn: AccountTurn, { statusId, url, card }: BodyOf<typeof cardMessages.cardFound>): undefined {
  const status = turn.get(statuses, [statusId]);
  if (status === undefined || linkOfCard(status) !== url) return;
  const changed = { ...status, card };
  putStatus(turn, changed);
  listLink(turn, status, changed);
  turn.emit(statusCounted, { id: statusId });
}

export const cardsFeature = feature<AccountTurn>()({
  messages: cardMessages,
  handlers: { cardFound },
  state: [],
  rules: cardRules,
});
