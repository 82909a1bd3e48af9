/** Exchanges a code for a token (RFC 6749 section 4.1.3; RFC 7636 section 4.5). */
import { z } from 'zod';
import { codeKey, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { sourceOf } from '../registration/sign-in-source.ts';
import type { NewToken } from './issue-token.ts';

export const exchangeCode = operation({
  input: z.object({
    /** The application that asks, which the gateway has authenticated. */
    clientId: z.string(),
    code: z.string(),
    redirectUri: z.string(),
    verifier: z.string().optional(),
    userAgent: z.string().optional(),
  }),
  permission: 'useTokens',
  /** Throws Failure invalidGrant, the same for everything that is wrong with the code. */
  async run(context, { clientId, code, redirectUri, verifier, userAgent }): Promise<NewToken> {
    const { caller, services } = context;
    const token = drawSecret();
    const message = {
      clientId,
      redirectUri,
      tokenId: digestOfSecret(token),
      source: sourceOf(context, 'token', userAgent),
      // The S256 challenge of a verifier is its digest.
      ...(verifier === undefined ? {} : { challenge: digestOfSecret(verifier) }),
    };
    const exchange = services.client.call(
      Session.exchangeCode.to(codeKey(digestOfSecret(code)), message),
      flowOf(caller),
    );
    const issued = await exchange.catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'invalidGrant' ? invalidGrant() : error;
    });
    if ('reused' in issued) throw invalidGrant();
    return { token, issued };
  },
});

function invalidGrant(): Failure {
  return new Failure('invalidGrant', {
    text: 'The code is unknown, expired or used, or belongs to another application, redirect address or verifier.',
  });
}
