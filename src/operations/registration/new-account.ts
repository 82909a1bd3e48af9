/**
 * Builds the record of a new account and registers it in the directory, which gives each name and address to one
 * account only.
 */
import type { z } from 'zod';
import type { CreateAccount } from '../../actors/account/profile/profile.messages.ts';
import { Directory, nameOfEmail, type Registration } from '../../actors/directory/directory.messages.ts';
import { Instance, instanceKey, type RegistrationMode } from '../../actors/instance/instance.messages.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';

export type NewAccount = z.infer<typeof CreateAccount>;

interface NewLogin {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly locale: string;
  readonly reason?: string | undefined;
  readonly createdAt: number;
  readonly applicationId?: Id | undefined;
}

/** In mode `approval` staff must approve the account; `confirmsEmail`: a mail asks to confirm the address. */
export function newAccount(login: NewLogin, mode: RegistrationMode, confirmsEmail: boolean): NewAccount {
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
      // Where no mail is sent no address can be verified: it counts as confirmed.
      confirmed: !confirmsEmail,
      approved: mode !== 'approval',
      disabled: false,
      defaultPrivacy: 'public',
      defaultSensitive: false,
    },
    ...(confirmsEmail && { isEmailPending: true }),
  };
}

/** `inviteId`: with one of its uses. Throws Failure validation where it lets nobody in any more. */
export function registerName(
  { caller, services: { client } }: OperationContext,
  account: NewAccount,
  inviteId?: Id,
): Promise<Registration> {
  if (inviteId !== undefined)
    return client.call(Instance.registerInvited.to(instanceKey, { inviteId, account }), flowOf(caller));
  return client.call(Directory.register.to(nameOfEmail(account.login.email), account), flowOf(caller));
}
