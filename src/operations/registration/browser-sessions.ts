/** Signs browsers in and out. A session is identified by a secret, of which only the digest is stored. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { findLogin, passwordMarkOf } from '../../actors/account/profile/logins.queries.ts';
import { signInWays } from '../../actors/account/sign-ins/sign-ins.records.ts';
import { browserKey, digestOfSecret, Session } from '../../actors/session/session.messages.ts';
import { browserSessionsOfAccount, type ListedBrowserSession } from '../../actors/session/session.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { drawSecret } from '../../services/secrets.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { sourceOf } from './sign-in-source.ts';

/** For an account that has just signed in or up. */
export const openBrowserSession = operation({
  input: z.object({
    /** Of the password that was given: the session ends when the password changes. */
    passwordMark: z.string(),
    /** A description of the browser, for its owner. */
    browser: z.string(),
    /** How the account has signed in; absent after a sign-up, which is in its history already. */
    way: z.enum(signInWays).optional(),
    userAgent: z.string().optional(),
  }),
  permission: 'manageOwnAccount',
  async run(context, { passwordMark, browser, way, userAgent }): Promise<{ secret: string }> {
    const { caller, services } = context;
    const secret = drawSecret();
    const source = way && sourceOf(context, way, userAgent);
    const message = { accountId: caller.accountId, passwordMark, browser, source };
    await services.client.call(
      Session.openBrowserSession.to(browserKey(digestOfSecret(secret)), message),
      flowOf(caller),
    );
    return { secret };
  },
});

/** By its secret: whoever has it may end the session. */
export const closeBrowserSession = operation({
  input: z.object({ secret: z.string() }),
  permission: 'manageOwnAccount',
  run: (context, { secret }): Promise<void> => close(context, [digestOfSecret(secret)]),
});

/** One of the caller's sessions, by its position in `browserSessionsOf`. Throws Failure notFound. */
export const closeListedBrowserSession = operation({
  input: z.object({ id: identifier }),
  permission: 'manageOwnAccount',
  async run(context, { id }): Promise<void> {
    const listed = browserSessionsOf(context).find((one) => one.id === id);
    if (listed === undefined) throw new Failure('notFound');
    await close(context, [listed.sessionId]);
  },
});

/** All sessions of the caller except the one with the secret. */
export const closeOtherBrowserSessions = operation({
  input: z.object({ secret: z.string() }),
  permission: 'manageOwnAccount',
  async run(context, { secret }): Promise<void> {
    const kept = digestOfSecret(secret);
    const others = browserSessionsOf(context).filter(({ sessionId }) => sessionId !== kept);
    await close(
      context,
      others.map(({ sessionId }) => sessionId),
    );
  },
});

/** The browsers in which the caller is signed in, newest first. */
export function browserSessionsOf({ caller, services }: OperationContext<AccountCaller>): ListedBrowserSession[] {
  const login = findLogin(services.snapshots, caller.accountId);
  if (login === undefined) return [];
  const passwordMark = passwordMarkOf(login);
  const listed = browserSessionsOfAccount(services.snapshots, caller.accountId, services.now());
  return listed.filter(({ session }) => session.passwordMark === passwordMark);
}

async function close({ caller, services }: OperationContext<AccountCaller>, ids: readonly string[]): Promise<void> {
  const flow = flowOf(caller);
  await Promise.all(ids.map((id) => services.client.call(Session.closeBrowserSession.to(browserKey(id), {}), flow)));
}
