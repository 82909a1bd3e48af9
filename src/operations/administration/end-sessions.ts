/** Signs a local account out everywhere, or makes it choose a new password: the link comes by mail. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { browserKey, Session, userKey } from '../../actors/session/session.messages.ts';
import { browserSessionsOfAccount } from '../../actors/session/session.queries.ts';
import type { Services } from '../../services/services.ts';
import { type AccountCaller, flowOf, type OperatorCaller } from '../caller.ts';
import { operation } from '../operation.ts';
import { hashPassword } from '../registration/passwords.ts';
import { accountName, type KnownAccount, subordinate } from './local-account.ts';

const one = z.object({ account: accountName });

export const endSessions = operation({
  input: one,
  permission: 'manageUserAccess',
  audit: 'endSessions',
  on: subordinate,
  /** Throws Failure notFound, and forbidden for an equal or better. */
  async run({ caller, services, audit }, _given, account): Promise<void> {
    const { id, profile } = account;
    const written = { ...audit, name: profile.username };
    await services.client.call(Session.revokeTokensOfUser.to(userKey(id), { audit: written }), flowOf(caller));
    await closeBrowsers(caller, services, account);
  },
});

async function closeBrowsers(
  caller: AccountCaller | OperatorCaller,
  { client, snapshots, now }: Services,
  { id }: Pick<KnownAccount, 'id'>,
): Promise<void> {
  const open = browserSessionsOfAccount(snapshots, id, now());
  await Promise.all(
    open.map(({ sessionId }) => client.call(Session.closeBrowserSession.to(browserKey(sessionId), {}), flowOf(caller))),
  );
}

/** Nobody knows the password that it gets. */
export const forceNewPassword = operation({
  input: one,
  permission: 'manageUserAccess',
  audit: 'forceNewPassword',
  on: subordinate,
  /** Throws Failure notFound, and forbidden for an equal or better. */
  async run({ caller, services, audit }, _given, { id }): Promise<void> {
    const { client } = services;
    const passwordHash = await hashPassword(randomBytes(24).toString('base64url'));
    await client.call(Account.changeLogin.to(id, { passwordHash, audit }), flowOf(caller));
    await client.call(Session.revokeTokensOfUser.to(userKey(id), {}), flowOf(caller));
    await client.call(Account.requestPasswordReset.to(id, {}), flowOf(caller));
  },
});
