/** Adds a single status to a filter of the caller, and removes it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findFilterStatus } from '../../actors/account/filters/filters.queries.ts';
import type { FilterStatus } from '../../actors/account/filters/filters.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visibleStatus } from '../statuses/visible-status.ts';

/** Throws Failure notFound for an unknown filter, and for a status that the caller may not see. */
export const addFilterStatus = operation({
  input: z.object({ filterId: identifier, statusId: identifier }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { filterId, statusId }): Promise<FilterStatus> {
    visibleStatus(services, statusId, caller.accountId);
    const message = Account.addFilterStatus.to(caller.accountId, { filterId, statusId });
    const { filterStatusId } = await services.client.call(message, flowOf(caller));
    return { id: filterStatusId, statusId };
  },
});

export const removeFilterStatus = operation({
  input: z.object({ filterStatusId: identifier }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { filterStatusId }): Promise<void> {
    const found = findFilterStatus(services.snapshots, caller.accountId, filterStatusId);
    if (found === undefined) throw new Failure('notFound');
    const message = Account.removeFilterStatus.to(caller.accountId, { filterId: found.filter.id, filterStatusId });
    await services.client.call(message, flowOf(caller));
  },
});
