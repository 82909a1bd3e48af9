/**
 * The directory: name to account. One actor per name, so that two sign-ups cannot both win. Names are
 * `acct:alice` (local), `acct:bob@example.org` (remote), `email:…` (normalised address), `host:…`, or an actor's URI.
 */
import { z } from 'zod';
import { call, cast, contract } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { CreateAccount } from '../account/profile/profile.messages.ts';
import { Profile } from '../account/profile/profile.records.ts';
import { directoryKind } from '../kinds.ts';

export const Registration = z.union([
  z.object({ accountId: identifier }),
  z.object({ taken: z.enum(['username', 'email']) }),
]);
export type Registration = z.infer<typeof Registration>;

export const Directory = contract(directoryKind, {
  /** On `email:…`: reserves the address, then asks for the name. Every local account begins here. */
  register: call(1, CreateAccount, Registration),
  /** On `acct:…`: takes the name and creates the account, or frees the address again. */
  registerName: call(2, z.object({ account: CreateAccount, emailName: z.string() }), Registration),
  releaseEmail: cast(3, z.object({ username: z.string() })),
  /** On `email:…`: the account exists and can sign in. Gives the reply of `register`. */
  emailTaken: call(4, z.object({ accountId: identifier, isPending: z.boolean().optional() }), Registration),
  /**
   * On an actor's URI: finds or creates the remote account and updates its profile. `profile.id` is ignored. `signedAt`:
   * of the Update that describes it; absent where it was fetched.
   */
  learn: call(5, z.object({ profile: Profile, signedAt: z.number().optional() }), z.object({ accountId: identifier })),
  /** On `acct:user@host`: this handle belongs to that account. */
  point: cast(6, z.object({ accountId: identifier })),
  /** On `host:…`: an account of this server became known. */
  hostKnown: cast(7, z.object({ host: z.string() })),
  /**
   * On `email:…`: the account has confirmed the address, and owns it from now on, unless another one does. The account gives
   * the reply.
   */
  claimEmail: call(
    360,
    z.object({ accountId: identifier, email: z.string(), staffIds: z.array(identifier).optional() }),
    Registration,
  ),
  /** On `email:…`: staff have confirmed the address of the account; does nothing where another one owns it. */
  grantEmail: cast(361, z.object({ accountId: identifier })),
  /** On `email:…`: the account has another address now, or is gone. */
  leaveEmail: cast(362, z.object({ accountId: identifier })),
  /** On `acct:alice`: the account is gone, as if it had never been. */
  leaveName: cast(500, z.object({ accountId: identifier })),
});

export function nameOfHandle(username: string, domain: string | undefined): string {
  return domain === undefined ? `acct:${username.toLowerCase()}` : `acct:${username.toLowerCase()}@${domain}`;
}

export function nameOfHost(host: string): string {
  return `host:${host}`;
}

export function nameOfEmail(email: string): string {
  return `email:${email.trim().toLowerCase()}`;
}
