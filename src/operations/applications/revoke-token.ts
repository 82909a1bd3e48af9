/** Revokes a token of an application (RFC 7009). An unknown token counts as revoked. */
import { z } from 'zod';
import { digestOfSecret, Session, tokenKey } from '../../actors/session/session.messages.ts';
import { tokenOfId } from '../../actors/session/session.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const revokeToken = operation({
  input: z.object({
    /** The application that asks, which the gateway has authenticated. */
    clientId: z.string(),
    token: z.string(),
  }),
  permission: 'useTokens',
  /** Throws Failure unauthorizedClient for a token of another application. */
  async run({ caller, services }, { clientId, token: secret }): Promise<void> {
    const tokenId = digestOfSecret(secret);
    const token = tokenOfId(services.snapshots, tokenId);
    if (token === undefined) return;
    if (token.clientId !== clientId) throw new Failure('unauthorizedClient');
    await services.client.call(Session.revokeToken.to(tokenKey(tokenId), {}), flowOf(caller));
  },
});
