/** What is left of favourites and reblogs when the status is gone: entries of other accounts about it. */
import { Account } from '../account.messages.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { favouriteOfStatusBy, favouritesOfStatus, reblogOfStatusBy, reblogsOfStatus } from './interactions.state.ts';

export const interactionHooks: StatusHooks = {
  sweeps: [
    {
      number: 0,
      entries: reblogOfStatusBy,
      swept: (turn, statusId, accountId, isForgotten) =>
        turn.tell(Account.originalDeleted.to(accountId, { statusId, ...(isForgotten && { isForgotten }) })),
    },
    { number: 1, entries: reblogsOfStatus },
    { number: 2, entries: favouritesOfStatus },
    { number: 3, entries: favouriteOfStatusBy },
  ],
};
