/** Reads the logins of local accounts. */
import { hash } from 'node:crypto';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { QuotePolicy } from '../quotes/quotes.records.ts';
import type { ReplyPolicy } from '../statuses/reply-policy.records.ts';
import type { Login, Profile } from './profile.records.ts';
import { logins, profiles } from './profile.state.ts';

/** Undefined for an account that is remote or unknown. */
export function findLogin(reader: Reader, accountId: Id): Login | undefined {
  return reader.get(logins, [accountId]);
}

/** Who may quote new statuses of an account that has not chosen (behaviour of the Mastodon API: everybody). */
export function quotePolicyOf({ defaultQuotePolicy = 'public' }: Login): QuotePolicy {
  return defaultQuotePolicy;
}

/**
 * What an account is shown at once that has not chosen: no sensitive media, and nothing behind a warning; what replaces a
 * GIF plays.
 */
export function readingOf({ expandMedia = 'default', expandSpoilers = false, autoplayGifs = true }: Partial<Login>) {
  return { expandMedia, expandSpoilers, autoplayGifs };
}

/** Who may reply to new statuses of an account that has not chosen: everybody. */
export function replyPolicyOf({ defaultReplyPolicy = 'public' }: Login): ReplyPolicy {
  return defaultReplyPolicy;
}

export interface LocalAccount {
  readonly id: Id;
  readonly profile: Profile;
  readonly login: Login;
}

export function findLocalAccount(reader: Reader, accountId: Id): LocalAccount | undefined {
  const login = reader.get(logins, [accountId]);
  const profile = login === undefined ? undefined : reader.get(profiles, [accountId]);
  return login === undefined || profile === undefined ? undefined : { id: accountId, profile, login };
}

/**
 * Why an account may not sign in; `active` when it may. Suspension counts as disabled, as in the Mastodon API. `leaving`:
 * its owner is about to delete it.
 */
export type LoginState = 'active' | 'disabled' | 'leaving' | 'unconfirmed' | 'pending';

export function loginStateOf({ profile, login }: LocalAccount): LoginState {
  if (login.disabled || profile.suspendedAt !== undefined) return 'disabled';
  if (login.deletesAt !== undefined) return 'leaving';
  if (!login.confirmed) return 'unconfirmed';
  return login.approved ? 'active' : 'pending';
}

/**
 * Whether staff have shut it, or its owner is about to delete it, and nothing else is missing: on pages it sees why, and can
 * appeal, or take it back.
 */
export function isBarred(account: LocalAccount): boolean {
  const { confirmed, approved } = account.login;
  const state = loginStateOf(account);
  return (state === 'disabled' || state === 'leaving') && confirmed && approved;
}

/** Changes with the password, so that sessions opened with an older one end. */
export function passwordMarkOf(login: Login): string {
  return hash('sha256', login.passwordHash, 'base64url');
}
