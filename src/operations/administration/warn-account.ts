/** Warns a local account: it gets a notification with the text, and nothing else changes for it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

const { warningCharactersMax } = notificationLimits;

export const warnAccount = operation({
  input: z.object({ username: z.string(), text: z.string() }),
  permission: 'manageUsers',
  /** Throws Failure notFound, and validation for a suspended account and for a text that is empty or too long. */
  async run({ caller, services }, given): Promise<void> {
    const { id, profile } = namedAccount(services, given.username);
    const text = cleanText(given.text);
    if (text === '') throw new Failure('validation', { text: 'A warning needs a text.' });
    if (text.length > warningCharactersMax)
      throw new Failure('validation', { text: `A warning has at most ${warningCharactersMax} characters.` });
    if (profile.suspendedAt !== undefined)
      throw new Failure('validation', {
        text: `The account ${profile.username} is suspended: it could not read the warning.`,
      });
    await services.client.call(Account.warn.to(id, { action: 'none', text }), flowOf(caller));
  },
});
