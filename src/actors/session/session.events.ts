/** Events that end or change sessions, for caches of tokens and for streams. Numbers 40 to 49: append-only. */
import { z } from 'zod';
import { eventType, invalidation } from '../../runtime/events/event.ts';
import { identifier } from '../account/account.records.ts';
import { cacheables } from '../cacheables.ts';

/** Caches drop the token's grant, and streams opened with it are closed. */
export const tokenRevoked = eventType(
  40,
  'token revoked',
  z.object({ tokenId: z.string(), accountId: identifier.optional() }),
  ({ tokenId }) => [invalidation(cacheables.grant, tokenId)],
);

/** An account's permission to sign in, its role or its password has changed, or it has moved or come back. */
export const loginChanged = eventType(41, 'login changed', z.object({ accountId: identifier }), ({ accountId }) => [
  invalidation(cacheables.account, accountId),
  invalidation(cacheables.grantsOfAccount, accountId),
]);

/** A browser was signed out, or its session has expired: open pages of the account check whether it was theirs. */
export const browserSessionClosed = eventType(42, 'browser session closed', z.object({ accountId: identifier }));
