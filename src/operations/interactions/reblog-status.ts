/** Reblogs a status (specification 6.2: an Announce is delivered); repeating keeps the first reblog. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier, Visibility } from '../../actors/account/account.records.ts';
import { findStatus, findVisibleStatus, type StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visibleOriginal } from '../statuses/originals.ts';
import { viewerFor } from '../statuses/visible-status.ts';

export const reblogStatus = operation({
  input: z.object({ statusId: identifier, visibility: Visibility.optional() }),
  permission: 'interact',
  limit: 'statuses',
  async run({ caller, services }, { statusId, visibility }): Promise<StatusView> {
    const original = visibleOriginal(services, statusId, caller.accountId);
    const { status } = original;
    const reblog = await services.client.call(
      Account.reblog.to(status.accountId, { statusId: status.id, by: caller.accountId, visibility }),
      flowOf(caller),
    );
    await services.barrier.appliedEverywhere();
    const viewer = viewerFor(services, caller.accountId);
    // A reblog that was removed meanwhile is gone: the original is shown instead.
    return (
      findVisibleStatus(services.snapshots, reblog.statusId, viewer) ??
      findStatus(services.snapshots, status.id) ??
      original
    );
  },
});
