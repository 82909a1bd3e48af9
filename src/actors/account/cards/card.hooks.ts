/** What turns do about the card of a status: the host of the page is asked for it, and told when it is not shown any more. */

import { Domain } from '../../domain/domain.messages.ts';
import { hostOfPage } from '../../policy/page-host.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { isLocal, type Status } from '../statuses/statuses.records.ts';
import { linkOfCard } from './cards.queries.ts';
import { listLink } from './list-link.ts';

/** A status reaches many servers at once, which must not all ask for the page in the same second. */
const remoteDelayMilliseconds = 60_000n;

export const cardHooks: StatusHooks = {
  stored(turn, status) {
    const url = linkOfCard(status);
    if (url !== undefined) want(turn, status, url);
  },
  changed(turn, before, after) {
    listLink(turn, before, after);
    const [former, present] = [before, after].map(linkOfCard);
    if (former === present) return;
    if (former !== undefined) dismiss(turn, before, former);
    if (present !== undefined) want(turn, after, present);
  },
  removed(turn, status) {
    listLink(turn, status, undefined);
    const url = linkOfCard(status);
    if (url !== undefined) dismiss(turn, status, url);
  },
};

function want(turn: AccountTurn, status: Status, url: string): void {
  const delayMilliseconds = isLocal(status) ? 0 : Number(status.id % remoteDelayMilliseconds);
  const { id: statusId, accountId } = status;
  turn.tell(Domain.cardWanted.to(hostOfPage(url), { url, accountId, statusId, delayMilliseconds }));
}

function dismiss(turn: AccountTurn, status: Status, url: string): void {
  const { id: statusId, accountId } = status;
  turn.tell(Domain.cardUnwanted.to(hostOfPage(url), { url, accountId, statusId }));
}
