/** Creates local accounts for tests in the same way as the server. */

import type { z } from 'zod';
import type { CreateAccount } from '../../src/actors/account/profile/profile.messages.ts';
import type { Login } from '../../src/actors/account/profile/profile.records.ts';
import { Directory, nameOfEmail } from '../../src/actors/directory/directory.messages.ts';
import { createToken } from '../../src/operations/administration/create-token.ts';
import { operator } from '../../src/operations/caller.ts';
import type { Services } from '../../src/services/services.ts';
import type { TestServer } from './actors.ts';

export function signUp(username: string, login: Partial<Login> = {}): z.infer<typeof CreateAccount> {
  return {
    username,
    displayName: username,
    locked: false,
    bot: false,
    login: {
      email: `${username}@example.org`,
      passwordHash: 'a hash that no password has',
      role: 'user',
      confirmed: true,
      approved: true,
      disabled: false,
      locale: 'en',
      createdAt: 0,
      defaultPrivacy: 'public',
      defaultSensitive: false,
      ...login,
    },
  };
}

/** Registers an account and returns its id; throws when the name or the address is taken. */
export async function addAccount(server: TestServer, username: string, login: Partial<Login> = {}): Promise<bigint> {
  const account = signUp(username, login);
  const answer = await server.call(Directory.register.to(nameOfEmail(account.login.email), account));
  if ('taken' in answer) throw new Error(`the ${answer.taken} of ${username} is taken`);
  return answer.accountId;
}

/** The same, with a token that has all scopes. */
export async function addWithToken(
  { actors, services }: { readonly actors: TestServer; readonly services: Services },
  username: string,
  login: Partial<Login> = {},
): Promise<{ id: bigint; token: string }> {
  const id = await addAccount(actors, username, login);
  const scopes = 'read write follow admin:read admin:write';
  const { token } = await createToken({ caller: operator, services }, { username, scopes });
  return { id, token };
}
