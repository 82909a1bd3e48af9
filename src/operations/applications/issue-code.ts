/** Authorizes an application for the caller: creates the code that the application exchanges for a token. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { codeKey, Dialect, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const issueCode = operation({
  input: z.object({
    clientId: z.string(),
    applicationId: identifier,
    dialect: Dialect,
    /** Requested by the application and allowed for it. */
    scopes: z.array(z.string()),
    /** One of the application's registered ones. */
    redirectUri: z.string(),
    /** Digest of the verifier that the application will send (RFC 7636, S256). */
    challenge: z.string().optional(),
  }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, given): Promise<{ code: string }> {
    const code = drawSecret();
    const message = { ...given, accountId: caller.accountId };
    await services.client.call(Session.issueCode.to(codeKey(digestOfSecret(code)), message), flowOf(caller));
    return { code };
  },
});
