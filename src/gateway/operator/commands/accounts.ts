/** Commands about accounts. */
import { roles } from '../../../actors/account/profile/profile.records.ts';
import { dialects } from '../../../actors/session/session.messages.ts';
import { createAccount } from '../../../operations/administration/create-account.ts';
import { createToken } from '../../../operations/administration/create-token.ts';
import { modifyAccount } from '../../../operations/administration/modify-account.ts';
import { showAccount } from '../../../operations/administration/show-account.ts';
import { command } from './command.ts';
import { either, text, word } from './reading.ts';

const role = { value: 'ROLE', sentence: `What the account may do: ${roles.join(', ')}.` };

const create = command({
  words: 'accounts create',
  argument: 'NAME',
  flags: {
    email: { value: 'ADDRESS', required: true, sentence: 'The e-mail address to sign in with.' },
    password: { value: 'PASSWORD', sentence: 'The password; without it one is drawn and printed in the last line.' },
    role,
    confirmed: { sentence: 'Takes the e-mail address as confirmed; until it is, the account cannot sign in.' },
    approved: { sentence: 'Lets the account in where registrations need approval.' },
  },
  sentence: 'Creates an account. Whoever signs up without it counts as confirmed, because the server sends no mail.',
  read: (username, flags) => ({
    username,
    email: text(flags, 'email') ?? '',
    password: text(flags, 'password'),
    role: word(flags, 'role', roles),
    confirmed: flags.confirmed === true,
    approved: flags.approved === true,
  }),
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
  print: ({ id, profile, login }) => [
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
  ],
});

const modify = command({
  words: 'accounts modify',
  argument: 'NAME',
  flags: {
    role,
    password: { value: 'PASSWORD', sentence: 'Sets the password and ends all sessions and tokens.' },
    confirm: { sentence: 'Takes the e-mail address as confirmed.' },
    approve: { sentence: 'Lets a new account in.' },
    suspend: { sentence: 'Suspends the account: nobody sees it, and it cannot sign in.' },
    unsuspend: { sentence: 'Takes the suspension back.' },
    disable: { sentence: 'Keeps the account from signing in.' },
    enable: { sentence: 'Lets it sign in again.' },
  },
  sentence: 'Changes an account.',
  read: (username, flags) => ({
    username,
    password: text(flags, 'password'),
    role: word(flags, 'role', roles),
    confirmed: flags.confirm === true || undefined,
    approved: flags.approve === true || undefined,
    suspended: either(flags, 'suspend', 'unsuspend'),
    disabled: either(flags, 'disable', 'enable'),
  }),
  operation: modifyAccount,
  print: (_changed, { username }) => [`Changed the account ${username}.`],
});

const token = command({
  words: 'tokens create',
  argument: 'NAME',
  flags: {
    scopes: { value: '"SCOPE …"', required: true, sentence: 'What the token allows, as in "read write push".' },
    dialect: { value: 'DIALECT', sentence: `The form of some answers: ${dialects.join(' or ')}.` },
  },
  sentence: 'Gives an access token for an account and prints it alone on one line.',
  read: (username, flags) => ({
    username,
    scopes: text(flags, 'scopes') ?? '',
    dialect: word(flags, 'dialect', dialects),
  }),
  operation: createToken,
  print: ({ token: drawn }) => [drawn],
});

export const accountCommands = [create, show, modify, token];
