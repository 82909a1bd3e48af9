/** Adds a status to the bookmarks of the caller, or removes it. What changes nothing is answered without the account's actor. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { readField } from '../presentation/viewer-state.ts';
import { tiedOriginal, visibleOriginal } from '../statuses/originals.ts';

const input = z.object({ statusId: identifier });

/** Returns the original. Throws Failure notFound for a status that the caller may not see. */
export const bookmarkStatus = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<{ statusId: Id }> {
    const { status } = visibleOriginal(services, given.statusId, caller.accountId);
    if (!readField(services.snapshots, caller.accountId, status.id, 'bookmarked'))
      await services.client.call(Account.bookmark.to(caller.accountId, { statusId: status.id }), flowOf(caller));
    return { statusId: status.id };
  },
});

/** Returns the original. Throws Failure notFound for a status that the caller neither sees nor has bookmarked. */
export const unbookmarkStatus = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<{ statusId: Id }> {
    const { status } = tiedOriginal(services, given.statusId, caller.accountId, 'bookmarked');
    if (readField(services.snapshots, caller.accountId, status.id, 'bookmarked'))
      await services.client.call(Account.unbookmark.to(caller.accountId, { statusId: status.id }), flowOf(caller));
    return { statusId: status.id };
  },
});
