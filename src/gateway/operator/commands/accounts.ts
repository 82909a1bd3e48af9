/** Commands about accounts. */
import { notificationLimits } from '../../../actors/account/notifications/limits.ts';
import { roles } from '../../../actors/account/profile/profile.records.ts';
import { dialects } from '../../../actors/session/session.messages.ts';
import { createAccount } from '../../../operations/administration/create-account.ts';
import { createToken } from '../../../operations/administration/create-token.ts';
import { disableTwoFactor } from '../../../operations/administration/disable-two-factor.ts';
import { endEmailSubscriptions } from '../../../operations/administration/end-email-subscriptions.ts';
import { endSessions, forceNewPassword } from '../../../operations/administration/end-sessions.ts';
import { listWarnings } from '../../../operations/administration/list-warnings.ts';
import { modifyAccount } from '../../../operations/administration/modify-account.ts';
import { refetchAccount } from '../../../operations/administration/refetch-account.ts';
import { showAccount } from '../../../operations/administration/show-account.ts';
import { warnAccount } from '../../../operations/administration/warn-account.ts';
import { rotateKeysOf } from '../../../operations/keys/rotate-keys.ts';
import { command } from './command.ts';
import { asOneLine, either, text, UsageError, word } from './reading.ts';

const role = {
  value: 'ROLE',
  sentence: `Role of the account: ${roles.join(', ')}, or the name of one that was added.`,
};

const create = command({
  words: 'accounts create',
  argument: 'NAME',
  flags: {
    email: { value: 'ADDRESS', required: true, sentence: 'E-mail address to sign in with.' },
    password: { value: 'PASSWORD', sentence: 'Password; if omitted, one is generated and printed on the last line.' },
    role,
    confirmed: { sentence: 'Marks the e-mail address as confirmed; the account cannot sign in before.' },
    approved: { sentence: 'Approves the account, if registrations need approval.' },
  },
  sentence: 'Creates an account. Accounts that sign up themselves count as confirmed where the server sends no mail.',
  read: (username, flags) => ({
    username,
    email: text(flags, 'email') ?? '',
    password: text(flags, 'password'),
    role: text(flags, 'role'),
    confirmed: flags.confirmed === true,
    approved: flags.approved === true,
  }),
  mayComeFirst: true,
  operation: createAccount,
  print: ({ drawnPassword }, { username, confirmed }) => [
    `Created the account ${username}.`,
    ...(confirmed ? [] : [`It cannot sign in until its address is confirmed: accounts modify ${username} --confirm`]),
    ...(drawnPassword === undefined ? [] : [`New password: ${drawnPassword}`]),
  ],
});

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

const show = command({
  words: 'accounts show',
  argument: 'NAME',
  sentence: 'Shows an account and the state of its login.',
  read: (username) => ({ username }),
  operation: showAccount,
  print: ({ id, profile, login, role, refused, usesTwoFactor }) => [
    `User name: ${profile.username}`,
    `Id: ${id}`,
    `E-mail address: ${login.email}`,
    ...(refused === undefined
      ? []
      : [`  refuses mail since ${new Date(refused.at).toISOString()}: ${refused.response}`]),
    `Role: ${role}`,
    `Created: ${new Date(profile.createdAt).toISOString()}`,
    `Confirmed: ${yesOrNo(login.confirmed)}`,
    `Approved: ${yesOrNo(login.approved)}`,
    `Disabled: ${yesOrNo(login.disabled)}`,
    `Two-factor authentication: ${yesOrNo(usesTwoFactor)}`,
    `Suspended: ${profile.suspendedAt === undefined ? 'no' : `since ${new Date(profile.suspendedAt).toISOString()}`}`,
    ...(login.reason === undefined ? [] : [`Reason for joining: ${login.reason}`]),
  ],
});

const modify = command({
  words: 'accounts modify',
  argument: 'NAME',
  flags: {
    role,
    password: { value: 'PASSWORD', sentence: 'Sets the password and ends all sessions and tokens.' },
    email: {
      value: 'ADDRESS',
      sentence: 'Sends a link there: it is the address of the account once that is followed.',
    },
    confirm: { sentence: 'Marks the e-mail address as confirmed.' },
    approve: { sentence: 'Approves a new account.' },
    suspend: { sentence: 'Suspends the account: it is hidden from everybody and cannot sign in.' },
    unsuspend: { sentence: 'Ends the suspension.' },
    disable: { sentence: 'Prevents the account from signing in.' },
    enable: { sentence: 'Allows it to sign in again.' },
    limit: { sentence: 'Limits the account: it is shown to its followers and to whoever looks for it only.' },
    unlimit: { sentence: 'Ends that.' },
    sensitive: { sentence: 'Shows all its media as sensitive.' },
    unsensitive: { sentence: 'Ends that.' },
    memorialize: { sentence: 'Keeps it in memory of somebody who has died; --enable ends that.' },
    text: { value: 'TEXT', sentence: 'What the account is told of what is done to it.' },
  },
  sentence: 'Changes an account. Accounts of other servers can be suspended, limited and marked as sensitive.',
  read: (username, flags) => ({
    username,
    password: text(flags, 'password'),
    email: text(flags, 'email'),
    role: text(flags, 'role'),
    confirmed: flags.confirm === true || undefined,
    approved: flags.approve === true || undefined,
    suspended: either(flags, 'suspend', 'unsuspend'),
    disabled: either(flags, 'disable', 'enable'),
    limited: either(flags, 'limit', 'unlimit'),
    sensitized: either(flags, 'sensitive', 'unsensitive'),
    memorial: flags.memorialize === true || undefined,
    text: text(flags, 'text'),
  }),
  operation: modifyAccount,
  print: (_changed, { username }) => [`Changed the account ${username}.`],
});

const warn = command({
  words: 'accounts warn',
  argument: 'NAME',
  flags: { text: { value: 'TEXT', required: true, sentence: 'What the account is told.' } },
  sentence: 'Warns an account: it gets a notification with the text.',
  read: (account, flags) => ({ account, text: text(flags, 'text') ?? '' }),
  operation: warnAccount,
  print: (_warned, { account }) => [`Warned the account ${account}.`],
});

const listOfWarnings = command({
  words: 'accounts warnings',
  argument: 'NAME',
  sentence: 'Lists the warnings that an account got, newest first.',
  read: (username) => ({ username }),
  operation: listWarnings,
  print: (warnings, { username }) =>
    warnings.length === 0
      ? [`The account ${username} was not warned.`]
      : warnings.map(
          ({ createdAt, text: sentence }) =>
            `${new Date(createdAt).toISOString()}  ${asOneLine(sentence, notificationLimits.warningCharactersMax)}`,
        ),
});

const signOut = command({
  words: 'accounts sign-out',
  argument: 'NAME',
  sentence: 'Signs an account out everywhere: its tokens and browser sessions end.',
  read: (account) => ({ account }),
  operation: endSessions,
  print: (_ended, { account }) => [`Signed ${account} out everywhere.`],
});

const newPassword = command({
  words: 'accounts reset-password',
  argument: 'NAME',
  sentence: 'Ends the password and all sessions of an account; a mail leads its owner to a new one.',
  read: (account) => ({ account }),
  operation: forceNewPassword,
  print: (_sent, { account }) => [`The password of ${account} counts no more; a mail leads to a new one.`],
});

const refetch = command({
  words: 'accounts refetch',
  argument: 'NAME',
  sentence: 'Asks the server of an account for its profile again.',
  read: (account) => ({ account }),
  operation: refetchAccount,
  print: (_asked, { account }) => [`The server of ${account} is asked.`],
});

const token = command({
  words: 'tokens create',
  argument: 'NAME',
  flags: {
    scopes: { value: '"SCOPE …"', required: true, sentence: 'Scopes of the token, such as "read write push".' },
    dialect: { value: 'DIALECT', sentence: `Dialect of the API for this token: ${dialects.join(' or ')}.` },
  },
  sentence: 'Creates an access token for an account and prints it on a line of its own.',
  read: (username, flags) => ({
    username,
    scopes: text(flags, 'scopes') ?? '',
    dialect: word(flags, 'dialect', dialects),
  }),
  operation: createToken,
  print: ({ token: drawn }) => [drawn],
});

const twoFactorOff = command({
  words: 'accounts disable-two-factor',
  argument: 'NAME',
  sentence:
    'Lets an account sign in with its password alone, for whoever has lost everything else. Make sure who asks.',
  read: (account) => ({ account }),
  operation: disableTwoFactor,
  print: (_disabled, { account }) => [`Two-factor authentication of ${account} is off.`],
});

const subscriptionsOff = command({
  words: 'accounts end-email-subscriptions',
  argument: 'NAME',
  sentence: 'Ends all subscriptions by mail to an account, which may offer them anew while its role says so.',
  read: (account) => ({ account }),
  operation: endEmailSubscriptions,
  print: (_ended, { account }) => [`Nobody gets posts of ${account} by mail any more.`],
});

const newKeys = command({
  words: 'accounts rotate-keys',
  argument: 'NAME',
  instead: ['all', 'server'],
  flags: {
    all: { sentence: 'Does it for all accounts, some at a time; the same command shows how far that is.' },
    server: { sentence: "Does it for the server's own actor and its relay." },
  },
  sentence: 'Gives an account new keys, and tells other servers in the name of the former ones.',
  read: (account, { all, server }) => {
    if (Number(account !== '') + Number(all === true) + Number(server === true) !== 1)
      throw new UsageError('It takes one of NAME, --all and --server.');
    if (account !== '') return { whose: 'account' as const, account };
    return { whose: all === true ? ('all' as const) : ('server' as const) };
  },
  operation: rotateKeysOf,
  print: (rotation, given) => {
    if (given.whose === 'account') return [`${given.account} has new keys.`];
    if (rotation === undefined) return ['The server has a new key.'];
    const { isNew, rotated, startedAt, endedAt } = rotation;
    if (endedAt !== undefined) return [`Accounts with new keys: ${rotated}, until ${new Date(endedAt).toISOString()}.`];
    if (isNew) return ['All accounts get new keys, two of them a second. The same command shows how far that is.'];
    return [`Accounts with new keys since ${new Date(startedAt).toISOString()}: ${rotated}. Others follow.`];
  },
});

export const accountCommands = [
  ...[create, show, modify, warn, listOfWarnings],
  ...[twoFactorOff, subscriptionsOff, signOut, newPassword, newKeys, refetch, token],
];
