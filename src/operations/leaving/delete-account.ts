/**
 * Deletes the account of the caller, after a delay in which its owner can take it back (option `deletionDays`). Nobody can act
 * for it from now on: only a sign-in on the pages, to take it back.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { ownersOf } from '../../actors/account/profile/staff.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { usedBefore } from '../two-factor/codes.ts';
import { demandOwner, OwnerProof } from '../two-factor/owner-proof.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

export const deleteOwnAccount = operation({
  input: OwnerProof,
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /** Throws Failure credentialsInvalid, codeInvalid, validation for the only owner, and conflict where it is decided already. */
  async run(context, proof): Promise<{ deletesAt: number }> {
    const { caller, services } = context;
    demandOtherOwner(context);
    const code = await demandOwner(context, proof);
    const delayMilliseconds = services.options.deletionDays * dayMilliseconds;
    return services.client
      .call(Account.deleteSelf.to(caller.accountId, { delayMilliseconds, code }), flowOf(caller))
      .catch(usedBefore);
  },
});

/** Open to an account that is about to be deleted, and to no other. Throws Failure conflict. */
export const keepOwnAccount = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  async run({ caller, services }): Promise<void> {
    await services.client.call(Account.keepSelf.to(caller.accountId, {}), flowOf(caller));
  },
});

/** A server without an owner would have nobody who may appoint one but the command line. */
function demandOtherOwner({ caller, services: { snapshots } }: OperationContext<AccountCaller>): void {
  const isOwner = findLogin(snapshots, caller.accountId)?.role === 'owner';
  if (isOwner && !ownersOf(snapshots).some((ownerId) => ownerId !== caller.accountId))
    throw validationFailure('You are the only owner: give another account that role first', { reason: 'onlyOwner' });
}
