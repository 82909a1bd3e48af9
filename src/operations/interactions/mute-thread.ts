/** Mutes the thread of a status for the caller: no notifications about it (behaviour of the Mastodon API). */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { threadOf } from '../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { tiedOriginal, visibleOriginal } from '../statuses/originals.ts';

const input = z.object({ statusId: identifier });

/** Returns the original. Throws Failure notFound for a status that the caller may not see. */
export const muteThread = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<{ statusId: Id }> {
    const { status } = visibleOriginal(services, given.statusId, caller.accountId);
    const message = Account.muteThread.to(caller.accountId, { threadId: threadOf(status) });
    await services.client.call(message, flowOf(caller));
    return { statusId: status.id };
  },
});

/** Returns the original. Throws Failure notFound for a status that the caller neither sees nor has muted. */
export const unmuteThread = operation({
  input,
  permission: 'interact',
  async run({ caller, services }, given): Promise<{ statusId: Id }> {
    const { status } = tiedOriginal(services, given.statusId, caller.accountId, 'muted');
    const message = Account.unmuteThread.to(caller.accountId, { threadId: threadOf(status) });
    await services.client.call(message, flowOf(caller));
    return { statusId: status.id };
  },
});
