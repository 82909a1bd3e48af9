/** Commands that remove an account or a part of it, and one that shows how it was signed in to. */
import type { StoredSignIn } from '../../../actors/account/sign-ins/sign-ins.queries.ts';
import { rulesListedMax } from '../../../operations/administration/domain-blocks.ts';
import { listSignIns } from '../../../operations/administration/list-sign-ins.ts';
import { rejectAccount, removeAccountData, removePictures } from '../../../operations/administration/remove-account.ts';
import { unblockAccountEmail } from '../../../operations/administration/unblock-email.ts';
import { command } from './command.ts';
import { asOneLine, text, UsageError, wholeNumber } from './reading.ts';

const signInsListed = 20;
const agentCharactersMax = 200;

const reject = command({
  words: 'accounts reject',
  argument: 'NAME',
  sentence: 'Rejects a sign-up that waits for approval: the account is gone, and its name is free.',
  read: (account) => ({ account }),
  operation: rejectAccount,
  print: (_rejected, { account }) => [`Rejected ${account}.`],
});

const remove = command({
  words: 'accounts remove-data',
  argument: 'NAME',
  sentence: 'Removes at once what a suspended account left here, which does not come back.',
  read: (account) => ({ account }),
  operation: removeAccountData,
  print: (_removed, { account }) => [`What ${account} left here is being removed.`],
});

const pictures = ['avatar', 'header'] as const;

const removeOfProfile = command({
  words: 'accounts remove-pictures',
  argument: 'NAME',
  flags: {
    avatar: { sentence: 'The picture of the profile.' },
    header: { sentence: 'The picture at its top.' },
    text: { value: 'TEXT', sentence: 'What the account is told besides.' },
  },
  sentence: 'Removes pictures of an account, which gets a strike that says so.',
  read(account, flags) {
    const chosen = pictures.filter((picture) => flags[picture] === true);
    if (chosen.length === 0) throw new UsageError('It takes --avatar, --header, or both.');
    return { account, pictures: chosen, text: text(flags, 'text') };
  },
  operation: removePictures,
  print: (_removed, { account }) => [`Removed pictures of ${account}.`],
});

const unblockEmail = command({
  words: 'accounts unblock-email',
  argument: 'NAME',
  sentence: 'Lets the e-mail address of a suspended account sign up again, which the suspension has blocked.',
  read: (account) => ({ account }),
  operation: unblockAccountEmail,
  print: (_unblocked, { account }) => [`The address of ${account} may sign up again.`],
});

const signIns = command({
  words: 'accounts sign-ins',
  argument: 'NAME',
  flags: { limit: { value: 'NUMBER', sentence: `How many to list, ${signInsListed} by default.` } },
  sentence: 'Lists the sign-ins to an account, the latest first, with those that failed.',
  read: (account, flags) => ({ account, limit: wholeNumber(flags, 'limit', rulesListedMax) ?? signInsListed }),
  operation: listSignIns,
  print: ({ items }) => items.map(lineOf),
});

function lineOf({ at, way, succeeded, address = '', userAgent = '' }: StoredSignIn): string {
  const outcome = succeeded ? way : `${way}, failed`;
  return [new Date(at).toISOString(), outcome, address, asOneLine(userAgent, agentCharactersMax)].join('  ').trimEnd();
}

export const accountRemovalCommands = [reject, remove, removeOfProfile, unblockEmail, signIns];
