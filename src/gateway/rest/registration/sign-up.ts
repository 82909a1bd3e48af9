/**
 * Signing up, the same for the API and for the page: what is wrong with each field, in the codes and words of the
 * Mastodon API, and the account.
 */

import type { z } from 'zod';
import type { CreateAccount } from '../../../actors/account/profile/profile.messages.ts';
import {
  Directory,
  nameOfEmail,
  nameOfHandle,
  type Registration,
} from '../../../actors/directory/directory.messages.ts';
import { isNameTaken } from '../../../actors/directory/directory.queries.ts';
import type { RegistrationMode } from '../../../actors/instance/instance.messages.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';
import { oauthLimits } from '../../oauth/limits.ts';
import { hashPassword } from '../../oauth/passwords.ts';
import { isReservedUsername, usernameCharactersMax, usernamePattern } from './usernames.ts';

export interface SignUp {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly agreement: boolean;
  readonly locale: string | undefined;
  readonly reason: string | undefined;
}

export interface FieldError {
  /** One of the ERR_ codes of the Mastodon API. */
  readonly error: string;
  readonly description: string;
}

/** Errors by field; fields without any are absent. */
export type FieldErrors = Readonly<Record<string, readonly FieldError[]>>;

const errors = {
  accepted: { error: 'ERR_ACCEPTED', description: 'must be accepted' },
  blank: { error: 'ERR_BLANK', description: "can't be blank" },
  invalid: { error: 'ERR_INVALID', description: 'is invalid' },
  invalidUsername: { error: 'ERR_INVALID', description: 'must contain only letters, numbers and underscores' },
  reserved: { error: 'ERR_RESERVED', description: 'is reserved' },
  taken: { error: 'ERR_TAKEN', description: 'has already been taken' },
} as const satisfies Record<string, FieldError>;

const tooLong = (maximum: number, unit = 'characters'): FieldError => ({
  error: 'ERR_TOO_LONG',
  description: `is too long (maximum is ${maximum} ${unit})`,
});
const tooShort = (minimum: number): FieldError => ({
  error: 'ERR_TOO_SHORT',
  description: `is too short (minimum is ${minimum} characters)`,
});

/** One sign with something before it, and a host with a dot behind it; whether mail arrives there, only mail can tell. */
const emailPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

/**
 * Creates the account and returns its id. Throws Failure forbidden where nobody may sign up, and validation with
 * `details` by field.
 */
export async function registerAccount(services: Services, wish: SignUp): Promise<Id> {
  const { registrations } = settingsOf(services);
  if (registrations === 'closed') throw new Failure('forbidden');
  const details = fieldErrors(services, wish);
  if (Object.keys(details).length > 0) throw refusal(details);
  const passwordHash = await hashPassword(wish.password);
  const { username, email, locale = 'en', reason } = wish;
  const account = newAccount(
    { username, email, passwordHash, locale, reason, createdAt: services.now() },
    registrations,
  );
  const registration = await registerName(services, account);
  if ('taken' in registration) throw refusal({ [registration.taken]: [errors.taken] });
  return registration.accountId;
}

export function registerName(
  { client }: Pick<Services, 'client'>,
  account: z.infer<typeof CreateAccount>,
): Promise<Registration> {
  return client.call(Directory.register.to(nameOfEmail(account.login.email), account), 'system');
}

interface NewLogin {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly locale: string;
  readonly reason?: string | undefined;
  readonly createdAt: number;
}

/** The record of a new account. In mode `approval` somebody of the staff lets it in. */
export function newAccount(login: NewLogin, mode: RegistrationMode): z.infer<typeof CreateAccount> {
  const { username, ...given } = login;
  return {
    username,
    displayName: '',
    locked: false,
    bot: false,
    login: {
      ...given,
      email: given.email.trim(),
      role: 'user',
      // This server sends no mail, so nobody could prove an address: it counts as confirmed.
      confirmed: true,
      approved: mode !== 'approval',
      disabled: false,
      defaultPrivacy: 'public',
      defaultSensitive: false,
    },
  };
}

function refusal(details: FieldErrors): Failure {
  const sentences = Object.entries(details).flatMap(([field, found]) =>
    found.map(({ description }) => `${field[0]!.toUpperCase()}${field.slice(1)} ${description}`),
  );
  return validationFailure(sentences.join(', '), { details });
}

function fieldErrors(services: Services, wish: SignUp): FieldErrors {
  const found: Record<string, readonly FieldError[]> = {
    username: usernameErrors(services, wish.username),
    email: emailErrors(services, wish.email),
    password: passwordErrors(wish.password),
    agreement: wish.agreement ? [] : [errors.accepted],
    reason:
      (wish.reason?.length ?? 0) > oauthLimits.reasonCharactersMax ? [tooLong(oauthLimits.reasonCharactersMax)] : [],
  };
  return Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
}

function usernameErrors(services: Services, username: string): FieldError[] {
  if (username === '') return [errors.blank];
  if (username.length > usernameCharactersMax) return [tooLong(usernameCharactersMax)];
  if (!usernamePattern.test(username)) return [errors.invalidUsername];
  if (isReservedUsername(username)) return [errors.reserved];
  return isNameTaken(services.snapshots, nameOfHandle(username, undefined)) ? [errors.taken] : [];
}

function emailErrors(services: Services, email: string): FieldError[] {
  if (email.trim() === '') return [errors.blank, errors.invalid];
  if (email.length > oauthLimits.emailCharactersMax) return [tooLong(oauthLimits.emailCharactersMax)];
  if (!isEmailAddress(email)) return [errors.invalid];
  return isNameTaken(services.snapshots, nameOfEmail(email)) ? [errors.taken] : [];
}

export function isEmailAddress(email: string): boolean {
  return emailPattern.test(email.trim()) && email.length <= oauthLimits.emailCharactersMax;
}

function passwordErrors(password: string): FieldError[] {
  if (password === '') return [errors.blank];
  if (password.length < oauthLimits.passwordCharactersMin) return [tooShort(oauthLimits.passwordCharactersMin)];
  const bytes = Buffer.byteLength(password);
  return bytes > oauthLimits.passwordBytesMax ? [tooLong(oauthLimits.passwordBytesMax, 'bytes')] : [];
}
