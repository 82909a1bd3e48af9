/** Warns a local account: it gets a notification with the text, and nothing else changes for it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { accountName, subordinate } from './local-account.ts';

const { warningCharactersMax } = notificationLimits;

export const warnAccount = operation({
  input: z.object({ account: accountName, text: z.string() }),
  permission: 'sanctionAccounts',
  audit: 'warnAccount',
  on: subordinate,
  /** Throws Failure notFound, forbidden, and validation for a suspended account and a text that is empty or too long. */
  async run({ caller, services, audit }, given, { id, profile }): Promise<void> {
    const text = cleanText(given.text);
    if (text === '') throw new Failure('validation', { text: 'A warning needs a text.' });
    if (text.length > warningCharactersMax)
      throw new Failure('validation', { text: `A warning has at most ${warningCharactersMax} characters.` });
    if (profile.suspendedAt !== undefined)
      throw new Failure('validation', {
        text: `The account ${profile.username} is suspended: it could not read the warning.`,
      });
    await services.client.call(Account.warn.to(id, { action: 'none', text, audit }), flowOf(caller));
  },
});
