/** What the operator does with accounts. */

import type { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { findLocalAccount, type LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import type { ChangeLogin } from '../../../actors/account/profile/profile.messages.ts';
import { nameOfHandle } from '../../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../actors/directory/directory.queries.ts';
import { Session, userKey } from '../../../actors/session/session.messages.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { registrationLimits } from '../../../operations/registration/limits.ts';
import { newAccount, registerName } from '../../../operations/registration/new-account.ts';
import { hashPassword } from '../../../operations/registration/passwords.ts';
import { isEmailAddress } from '../../../operations/registration/sign-up-problems.ts';
import { usernamePattern } from '../../../operations/registration/usernames.ts';
import { Failure } from '../../../runtime/errors.ts';
import { drawSecret } from '../../../services/secrets.ts';
import type { Services } from '../../../services/services.ts';
import type { RequestOf } from './requests.ts';

const drawnPasswordCharacters = 24;

/** The last line is the password, where the server drew it. */
export async function createAccount(services: Services, request: RequestOf<'accounts create'>): Promise<string[]> {
  const { username, email, role } = request;
  if (!usernamePattern.test(username) || username.length > registrationLimits.usernameCharactersMax) {
    throw refusal(`A user name has 1 to ${registrationLimits.usernameCharactersMax} letters, digits and underscores.`);
  }
  if (!isEmailAddress(email)) throw refusal(`${email} is not an e-mail address.`);
  const password = checkedPassword(request.password) ?? drawSecret().slice(0, drawnPasswordCharacters);
  const passwordHash = await hashPassword(password);
  const createdAt = services.now();
  const account = newAccount(
    { username, email, passwordHash, locale: 'en', createdAt },
    settingsOf(services).registrations,
  );
  account.login.role = role ?? 'user';
  // Whoever signs up counts as confirmed, because no mail is sent; here the operator says whether the address is known.
  account.login.confirmed = request.confirmed;
  account.login.approved ||= request.approved;
  const registration = await registerName(services, account);
  if ('taken' in registration) {
    throw refusal(
      registration.taken === 'username'
        ? `There is an account with the user name ${username} already.`
        : `There is an account with the e-mail address ${email} already.`,
    );
  }
  const lines = [`Created the account ${username}.`];
  if (!request.confirmed)
    lines.push(`It cannot sign in until its address is confirmed: accounts modify ${username} --confirm`);
  if (request.password === undefined) lines.push(`New password: ${password}`);
  return lines;
}

export function showAccount(services: Services, { username }: RequestOf<'accounts show'>): string[] {
  const { id, profile, login } = accountOf(services, username);
  const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');
  return [
    `User name: ${profile.username}`,
    `Id: ${id}`,
    `E-mail address: ${login.email}`,
    `Role: ${login.role}`,
    `Created: ${new Date(profile.createdAt).toISOString()}`,
    `Confirmed: ${yesOrNo(login.confirmed)}`,
    `Approved: ${yesOrNo(login.approved)}`,
    `Disabled: ${yesOrNo(login.disabled)}`,
    `Suspended: ${profile.suspendedAt === undefined ? 'no' : `since ${new Date(profile.suspendedAt).toISOString()}`}`,
    ...(login.reason === undefined ? [] : [`Reason for joining: ${login.reason}`]),
  ];
}

/** A new password ends all sessions: the browsers' at once, and the applications' tokens. */
export async function modifyAccount(services: Services, request: RequestOf<'accounts modify'>): Promise<string[]> {
  const { username, role, confirmed, approved, suspended, disabled } = request;
  const { id } = accountOf(services, username);
  const password = checkedPassword(request.password);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const changes: z.infer<typeof ChangeLogin> = { role, confirmed, approved, suspended, disabled, passwordHash };
  if (Object.values(changes).every((value) => value === undefined)) throw refusal('Nothing was asked to be changed.');
  await services.client.call(Account.changeLogin.to(id, changes), 'system');
  if (password !== undefined) await services.client.call(Session.revokeTokensOfUser.to(userKey(id), {}), 'system');
  return [`Changed the account ${username}.`];
}

/** The leading @ of a handle is forgiven. Throws Failure notFound. */
export function accountOf({ snapshots }: Pick<Services, 'snapshots'>, username: string): LocalAccount {
  const name = username.replace(/^@/, '');
  const accountId = accountIdOfName(snapshots, nameOfHandle(name, undefined));
  const account = accountId === undefined ? undefined : findLocalAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound', { text: `There is no account ${name}.` });
  return account;
}

function checkedPassword(password: string | undefined): string | undefined {
  if (password === undefined) return undefined;
  const { passwordCharactersMin, passwordBytesMax } = registrationLimits;
  if (password.length < passwordCharactersMin || Buffer.byteLength(password) > passwordBytesMax) {
    throw refusal(`A password has at least ${passwordCharactersMin} characters and at most ${passwordBytesMax} bytes.`);
  }
  return password;
}

export function refusal(sentence: string): Failure {
  return new Failure('validation', { text: sentence });
}
