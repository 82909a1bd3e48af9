/** The effect of quotes. Effect numbers are append-only over all actors: this file has 21. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';

export const AuthorizationRequest = z.object({ quoteId: identifier });

/**
 * Fetches the authorization of a quote again. When it no longer holds, the result arrives as
 * `Account.receiveQuoteAnswer`.
 */
export const fetchQuoteAuthorization = effectType<z.infer<typeof AuthorizationRequest>, object>(
  21,
  'fetch quote authorization',
  AuthorizationRequest,
);
