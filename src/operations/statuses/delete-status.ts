/** Deletes a status of the caller, which may be a reblog. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { referenceTo } from './originals.ts';
import { destinationsOfDeletion, onOwnStatus } from './own-status.ts';

export const deleteStatus = operation({
  input: z.object({
    statusId: identifier,
    /** Otherwise its media can be attached again for a day, for redrafting. */
    removesMedia: z.boolean().optional(),
  }),
  permission: 'post',
  limit: 'statusDeletion',
  on: onOwnStatus,
  async run({ caller, services }, { statusId, removesMedia }, { status, reblog }): Promise<void> {
    const message =
      reblog === undefined
        ? Account.deleteStatus.to(caller.accountId, {
            statusId,
            removesMedia,
            destinations: await services.slices.run(destinationsOfDeletion(services, status)),
          })
        : Account.unreblog.to(caller.accountId, referenceTo(reblog));
    await services.client.call(message, flowOf(caller));
  },
});
