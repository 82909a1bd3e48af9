/** The local account that staff or the operator names, and whether the caller may act on it. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { findLocalAccount, type LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { Login, Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { accountIdOfHandle } from '../accounts/handles.ts';
import type { OperationContext } from '../operation.ts';
import { demandHigherRole } from '../permissions.ts';

/** Its id, or its name as people type it. */
export const accountName = z.union([identifier, z.string()]);

/**
 * For `on`: the account that staff act on, which has a lower role than theirs (specification section 5). The server's own
 * actor is no account. Throws Failure notFound and forbidden.
 */
export function subordinate(
  { caller, services }: OperationContext,
  { account }: { account: Id | string },
): LocalAccount {
  const found = localAccount(services, account);
  demandHigherRole(caller, heldRole(services.snapshots, found.login), services);
  return found;
}

export interface KnownAccount {
  readonly id: Id;
  readonly profile: Profile;
  /** Of a local account. */
  readonly login: Login | undefined;
}

/**
 * The same for what staff may also do to an account of another server: nobody there has a role here. Throws Failure
 * notFound and forbidden.
 */
export function sanctionable(context: OperationContext, given: { account: Id | string }): KnownAccount {
  const { snapshots, addresses } = context.services;
  const { account } = given;
  const accountId = typeof account === 'string' ? accountIdOfHandle(snapshots, account, addresses) : account;
  const profile = accountId === undefined ? undefined : findProfile(snapshots, accountId);
  if (profile?.remote === undefined) return subordinate(context, given);
  return { id: profile.id, profile, login: undefined };
}

/** Whatever its role. Throws Failure notFound. */
export function localAccount(services: Pick<Services, 'snapshots' | 'addresses'>, given: Id | string): LocalAccount {
  return typeof given === 'string' ? namedAccount(services, given) : numberedAccount(services, given);
}

function numberedAccount({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id): LocalAccount {
  const account = findLocalAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound');
  return account;
}

/** By its user name, or by its handle on this server. Throws Failure notFound. */
export function namedAccount(
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
  name: string,
): LocalAccount {
  const accountId = accountIdOfHandle(snapshots, name, addresses);
  const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound', { text: `There is no account ${name.replace(/^@/, '')}.` });
  return account;
}
