/**
 * Moves the markers of the caller. Throws Failure conflict where another client of the caller moved one of them meanwhile
 * (behaviour of the Mastodon API).
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { markersOf } from '../../actors/account/markers/markers.queries.ts';
import type { Markers } from '../../actors/account/markers/markers.records.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const moveMarkers = operation({
  input: z.object({ home: identifier.optional(), notifications: identifier.optional() }),
  permission: 'manageOwnAccount',
  /** Returns the markers that were moved. */
  async run({ caller, services }, { home, notifications }): Promise<Markers> {
    const { accountId } = caller;
    const seen = markersOf(services.snapshots, accountId);
    const moveOf = (timeline: keyof Markers, lastReadId: bigint | undefined) =>
      lastReadId === undefined ? {} : { [timeline]: { lastReadId, seenVersion: seen[timeline]?.version ?? 0 } };
    const moves = { ...moveOf('home', home), ...moveOf('notifications', notifications) };
    if (Object.keys(moves).length === 0) return {};
    return services.client.call(Account.moveMarkers.to(accountId, moves), flowOf(caller));
  },
});
