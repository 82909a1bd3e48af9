/** Rejects a sign-up, removes at once what a suspended account left here, and removes the pictures of a profile. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, sanctionable, subordinate } from './local-account.ts';
import { textOf, told } from './sanction.ts';

const one = z.object({ account: accountName });

/** The account is gone, and its name and address are free. */
export const rejectAccount = operation({
  input: one,
  permission: 'manageUsers',
  audit: 'rejectAccount',
  on: subordinate,
  /** Throws Failure notFound, and forbidden for an equal or better and for an account that was approved. */
  async run({ caller, services, audit }, _given, { id, login }): Promise<void> {
    if (login.approved) throw new Failure('forbidden');
    await services.client.call(Account.reject.to(id, { audit }), flowOf(caller));
  },
});

/** Nothing of it comes back: the profile stays, empty and suspended, so that nobody takes its name. */
export const removeAccountData = operation({
  input: one,
  permission: 'deleteUserData',
  audit: 'removeAccountData',
  on: sanctionable,
  /** Throws Failure notFound, and forbidden for an equal or better and for an account that this server has not suspended. */
  async run({ caller, services, audit }, _given, { id }): Promise<void> {
    await services.client.call(Account.removeSuspended.to(id, { audit }), flowOf(caller));
  },
});

/** The account gets a strike, which says in its language what was removed, before what staff say about it. */
export const removePictures = operation({
  input: one.extend({ pictures: z.array(z.enum(['avatar', 'header'])), ...told }),
  permission: 'manageUsers',
  audit: 'removePictures',
  on: subordinate,
  /**
   * Throws Failure notFound, also for a text that is not kept, forbidden for an equal or better, and validation where none of
   * the pictures is there.
   */
  async run({ caller, services, audit }, { pictures: named, tells = true, ...said }, account): Promise<void> {
    const { id, login, profile } = account;
    const pictures = [...new Set(named)].filter((picture) => profile[picture] !== undefined);
    if (pictures.length === 0) throw validationFailure('The account has no such picture.');
    const { picturesRemoved } = services.languages.best([login.locale]).notifications.warnings;
    const facts = pictures.map((picture) => picturesRemoved[picture]).join(' ');
    const text = [facts, textOf(services, said)].filter((part) => part !== '').join('\n\n');
    const by = caller.accountId === undefined ? {} : { byId: caller.accountId };
    const strike = { action: 'none', text, ...by, tells } as const;
    await services.client.call(Account.removePictures.to(id, { pictures, audit, strike }), flowOf(caller));
  },
});
