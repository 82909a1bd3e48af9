/** Pins a status of the caller to the profile, or unpins it (specification 4.3: pinned statuses federate). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visibleStatus } from './visible-status.ts';

const input = z.object({ statusId: identifier });

/**
 * Throws Failure notFound for a status that the caller may not see, validation for one that cannot be pinned, or above
 * the bound.
 */
export const pinStatus = operation({
  input,
  permission: 'manageOwnAccount',
  async run({ caller, services }, { statusId }): Promise<{ statusId: Id }> {
    const { status } = visibleStatus(services, statusId, caller.accountId);
    if (status.accountId !== caller.accountId)
      throw validationFailure("Someone else's post cannot be pinned", { reason: 'pinOfOthers' });
    if (status.reblogOfId !== undefined) throw validationFailure('A boost cannot be pinned', { reason: 'pinOfBoost' });
    if (status.visibility === 'direct')
      throw validationFailure('Posts that are only visible to mentioned users cannot be pinned', {
        reason: 'pinOfPrivate',
      });
    await services.client.call(Account.pin.to(caller.accountId, { statusId }), flowOf(caller));
    return { statusId };
  },
});

/**
 * Does nothing for a status that is not pinned, or of another account. Throws Failure notFound for one that is not
 * visible.
 */
export const unpinStatus = operation({
  input,
  permission: 'manageOwnAccount',
  async run({ caller, services }, { statusId }): Promise<{ statusId: Id }> {
    visibleStatus(services, statusId, caller.accountId);
    await services.client.call(Account.unpin.to(caller.accountId, { statusId }), flowOf(caller));
    return { statusId };
  },
});
