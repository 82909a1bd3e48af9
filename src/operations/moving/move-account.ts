/**
 * Moves the caller to another account, which must list the caller as an alias: followers are asked to follow the new
 * account (specification 6.2: Move). Posts stay where they are.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { inboxesOfBlockers } from '../../actors/account/moving/blockers.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { onlyUnreachable } from '../../federation/failures.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { resolveHandle } from '../accounts/resolve-handle.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { type FieldProblem, invalid, refuseFields } from '../refused-fields.ts';
import { demandOwnPassword } from '../two-factor/owner-proof.ts';

/** How long a user waits for the other server. */
const refreshMilliseconds = 10_000;

const unknown: FieldProblem = {
  ...invalid,
  words: 'is not to be found, or its server does not answer',
  reason: 'accountUnknown',
};
const own: FieldProblem = { ...invalid, words: 'is this account itself', reason: 'accountItself' };
const notAnAlias: FieldProblem = {
  ...invalid,
  words: 'does not name this account as one of its own yet',
  reason: 'accountDoesNotAgree',
};

/**
 * Throws Failure credentialsInvalid for a wrong password, FieldsRefused for a target that does not exist or does not
 * list the caller as an alias, and validation for a move too soon after another.
 */
export const moveAccount = operation({
  input: z.object({ handle: z.string(), password: z.string() }),
  permission: 'manageOwnAccount',
  /** A person at an unattended browser must not guess the password. */
  limit: 'signIn',
  async run(context, { handle, password }): Promise<void> {
    const { caller, services } = context;
    await demandOwnPassword(context, password);
    const target = await freshTarget(context, handle).catch(onlyUnreachable);
    refuseFields({ handle: problemsOf(context, target) });
    const there = { targetId: target!.id, targetDestination: destinationOf(target!) };
    // Whoever blocks this account may want to block the new one (behaviour of the Mastodon API).
    const blockers = inboxesOfBlockers(services.snapshots, caller.accountId);
    await services.client.call(Account.move.to(caller.accountId, { ...there, blockers }), flowOf(caller));
  },
});

/** The account is in use again. */
export const cancelMove = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  async run({ caller, services }): Promise<void> {
    await services.client.call(Account.cancelMove.to(caller.accountId, {}), flowOf(caller));
  },
});

/**
 * Fetched from its server: the alias was probably added a moment ago. Throws Failure remoteUnreachable where that does
 * not answer.
 */
async function freshTarget(context: OperationContext<AccountCaller>, handle: string): Promise<Profile | undefined> {
  const { caller, services } = context;
  const accountId = await resolveHandle(context, { handle });
  if (accountId === undefined) return undefined;
  const { profile } = knownAccount(services, accountId);
  if (profile.remote === undefined) return profile;
  const fetched = await services.resolver.resolveAddress(profile.remote.uri, refreshMilliseconds, {
    cause: caller.cause,
  });
  return fetched !== undefined && 'accountId' in fetched
    ? knownAccount(services, fetched.accountId).profile
    : undefined;
}

function problemsOf({ caller, services }: OperationContext<AccountCaller>, target: Profile | undefined) {
  if (target === undefined) return [unknown];
  if (target.id === caller.accountId) return [own];
  const { username } = knownAccount(services, caller.accountId).profile;
  const knowsItself =
    target.remote === undefined
      ? target.aliasIds?.includes(caller.accountId)
      : target.alsoKnownAs.includes(services.addresses.actor(username));
  return knowsItself === true ? [] : [notAnAlias];
}
