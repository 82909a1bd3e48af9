/** Changes who may reply to a status of the caller. Earlier replies stay. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { ReplyPolicy } from '../../actors/account/statuses/reply-policy.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { destinationsOfStatus, onOwnStatus } from './own-status.ts';

export const changeReplyPolicy = operation({
  input: z.object({ statusId: identifier, policy: ReplyPolicy }),
  permission: 'post',
  on: onOwnStatus,
  async run({ caller, services }, given, { status, reblog }): Promise<{ statusId: Id }> {
    if (reblog !== undefined) throw new Failure('notFound');
    const destinations = await services.slices.run(destinationsOfStatus(services, status));
    const change = { ...given, destinations };
    await services.client.call(Account.changeReplyPolicy.to(caller.accountId, change), flowOf(caller));
    return { statusId: given.statusId };
  },
});
