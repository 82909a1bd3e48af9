/** Adds a status to the favourites of the caller (specification 6.2: a Like is delivered). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { isFavouriteOfBoth } from '../../actors/account/interactions/interactions.queries.ts';
import { senderTraits } from '../../actors/account/notifications/notification-requests.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visibleOriginal } from '../statuses/originals.ts';

export const favouriteStatus = operation({
  input: z.object({ statusId: identifier }),
  permission: 'interact',
  /** Returns the original, where a reblog was given. A repetition is answered without its actors. */
  async run({ caller, services }, { statusId }): Promise<{ statusId: Id }> {
    const { status } = visibleOriginal(services, statusId, caller.accountId);
    const { accountId: by } = caller;
    if (isFavouriteOfBoth(services.snapshots, status.id, by)) return { statusId: status.id };
    const sender = senderTraits(services.snapshots, by, services.now());
    const message = Account.favourite.to(status.accountId, { statusId: status.id, by, sender });
    await services.client.call(message, flowOf(caller));
    return { statusId: status.id };
  },
});
