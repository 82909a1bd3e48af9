/** The applications that may act for the caller: each has a token, which the caller may revoke. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { Session, tokenKey } from '../../actors/session/session.messages.ts';
import { type ListedToken, tokensOfAccount } from '../../actors/session/session.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

/** Newest first. */
export function authorizationsOf({ caller, services }: OperationContext<AccountCaller>): ListedToken[] {
  return tokensOfAccount(services.snapshots, caller.accountId);
}

/** By its position in the list. Throws Failure notFound for any but the caller's. */
export const revokeAuthorization = operation({
  input: z.object({ id: identifier }),
  permission: 'manageOwnAccount',
  async run(context, { id }): Promise<void> {
    const listed = authorizationsOf(context).find((one) => one.id === id);
    if (listed === undefined) throw new Failure('notFound');
    await revoke(context, [listed]);
  },
});

export const revokeAllAuthorizations = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  run: (context): Promise<void> => revoke(context, authorizationsOf(context)),
});

async function revoke(
  { caller, services }: OperationContext<AccountCaller>,
  listed: readonly ListedToken[],
): Promise<void> {
  const flow = flowOf(caller);
  const revoked = listed.map(({ tokenId }) =>
    services.client.call(Session.revokeToken.to(tokenKey(tokenId), {}), flow),
  );
  await Promise.all(revoked);
}
