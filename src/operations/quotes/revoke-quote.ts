/** Revokes a quote of one of the caller's statuses: the quoting status stays, and no longer shows the quoted one. */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { destinationsOfStatus } from '../statuses/own-status.ts';
import { visibleStatus } from '../statuses/visible-status.ts';

export const revokeQuote = operation({
  input: z.object({ statusId: identifier, quoteId: identifier }),
  permission: 'interact',
  /**
   * Throws Failure notFound for a status that is not visible or quotes another one, forbidden for any but the caller's.
   */
  async run({ caller, services }, { statusId, quoteId }): Promise<{ quoteId: Id }> {
    const { status } = visibleStatus(services, statusId, caller.accountId);
    if (status.accountId !== caller.accountId) throw new Failure('forbidden');
    const { status: quote } = visibleStatus(services, quoteId, caller.accountId);
    const profile = findProfile(services.snapshots, quote.accountId);
    const byDestination = profile === undefined ? undefined : destinationOf(profile);
    const destinations = isLocal(quote) ? await services.slices.run(destinationsOfStatus(services, quote)) : undefined;
    const message = Account.revokeQuote.to(caller.accountId, { statusId, quoteId, byDestination, destinations });
    await services.client.call(message, flowOf(caller));
    return { quoteId };
  },
});
