/** Signs browsers in and out. A session is known by a secret, of which only the digest is stored. */
import { z } from 'zod';
import { browserKey, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { drawSecret } from '../../services/secrets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

/** For whoever has just signed in or up. */
export const openBrowserSession = operation({
  /** The mark of the password that was given: a session ends when it is no longer the password. */
  input: z.object({ passwordMark: z.string() }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { passwordMark }): Promise<{ secret: string }> {
    const secret = drawSecret();
    const message = { accountId: caller.accountId, passwordMark };
    await services.client.call(
      Session.openBrowserSession.to(browserKey(digestOfSecret(secret)), message),
      flowOf(caller),
    );
    return { secret };
  },
});

/** By its secret: whoever has that may end the session. */
export const closeBrowserSession = operation({
  input: z.object({ secret: z.string() }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { secret }): Promise<void> {
    await services.client.call(Session.closeBrowserSession.to(browserKey(digestOfSecret(secret)), {}), flowOf(caller));
  },
});
