/** Creates an account for another person. Reserved usernames are allowed here. */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { drawSecret } from '../../services/secrets.ts';
import { settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';
import { demandAll, demandHigherRole } from '../permissions.ts';
import { registrationLimits } from '../registration/limits.ts';
import { newAccount, registerName } from '../registration/new-account.ts';
import { hashPassword } from '../registration/passwords.ts';
import { isEmailAddress } from '../registration/sign-up-problems.ts';
import { usernamePattern } from '../registration/usernames.ts';
import { knownRole, roleName, storedRole } from './change-role.ts';
import { checkPassword } from './checked-password.ts';

const drawnPasswordCharacters = 24;

interface CreatedAccount {
  readonly accountId: Id;
  /** Set where no password was given. */
  readonly drawnPassword: string | undefined;
}

export const createAccount = operation({
  input: z.object({
    username: z.string(),
    email: z.string(),
    /** A random one by default. */
    password: z.string().optional(),
    role: roleName.optional(),
    /** Whether the email address is verified; until then nobody can sign in. */
    confirmed: z.boolean(),
    approved: z.boolean(),
  }),
  permission: 'manageUsers',
  audit: 'createAccount',
  async run(context, { username, email, password: given, role: named, confirmed, approved }): Promise<CreatedAccount> {
    const { caller, services, audit } = context;
    const role = knownRole(services, named ?? 'user');
    demandHigherRole(caller, role, services);
    demandAll(caller, role, services);
    const { usernameCharactersMax } = registrationLimits;
    if (!usernamePattern.test(username) || username.length > usernameCharactersMax) {
      throw refusal(`A user name has 1 to ${usernameCharactersMax} letters, digits and underscores.`);
    }
    if (!isEmailAddress(email)) throw refusal(`${email} is not an e-mail address.`);
    if (given !== undefined) checkPassword(given);
    const password = given ?? drawSecret().slice(0, drawnPasswordCharacters);
    const login = {
      username,
      email,
      passwordHash: await hashPassword(password),
      locale: 'en',
      createdAt: services.now(),
    };
    const account = newAccount(login, settingsOf(services).registrations, false);
    Object.assign(account.login, storedRole(role));
    account.login.confirmed = confirmed;
    account.login.approved ||= approved;
    const registration = await registerName(context, { ...account, audit });
    if ('taken' in registration) {
      const what = registration.taken === 'username' ? `user name ${username}` : `e-mail address ${email}`;
      throw refusal(`There is an account with the ${what} already.`);
    }
    return { accountId: registration.accountId, drawnPassword: given === undefined ? password : undefined };
  },
});

function refusal(sentence: string): Failure {
  return new Failure('validation', { text: sentence });
}
