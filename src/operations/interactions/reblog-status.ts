/** Reblogs a status (specification 6.2: an Announce is delivered); repeating keeps the first reblog. */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier, Visibility } from '../../actors/account/account.records.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findStatus, findVisibleStatus, type StatusView } from '../../actors/account/status-views.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { readField } from '../presentation/viewer-state.ts';
import { visibleOriginal } from '../statuses/originals.ts';
import { viewerFor } from '../statuses/visible-status.ts';

interface Reblogged extends StatusView {
  /** False for a reblog that was there before. */
  readonly isNew: boolean;
}

export const reblogStatus = operation({
  input: z.object({ statusId: identifier, visibility: Visibility.optional() }),
  permission: 'interact',
  limit: 'statuses',
  counts: ({ isNew }: Reblogged) => isNew,
  async run({ caller, services }, { statusId, visibility }): Promise<Reblogged> {
    const original = visibleOriginal(services, statusId, caller.accountId);
    const { status } = original;
    const isNew = !readField(services.snapshots, caller.accountId, status.id, 'reblogged');
    const by = { by: caller.accountId, visibility: visibility ?? usualVisibility(services, caller.accountId) };
    const reblog = await services.client.call(
      Account.reblog.to(status.accountId, { statusId: status.id, ...by }),
      flowOf(caller),
    );
    const viewer = viewerFor(services, caller.accountId);
    // A reblog that was removed meanwhile is gone: the original is shown instead.
    const shown =
      findVisibleStatus(services.snapshots, reblog.statusId, viewer) ??
      findStatus(services.snapshots, status.id) ??
      original;
    return { ...shown, isNew };
  },
});

/** As posts of the account have (behaviour of the Mastodon API). */
function usualVisibility({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id): Visibility | undefined {
  const preferred = findLogin(snapshots, accountId)?.defaultPrivacy;
  return preferred === 'direct' ? 'private' : preferred;
}
