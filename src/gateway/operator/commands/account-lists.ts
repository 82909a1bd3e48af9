/** The command that lists accounts. */

import { accountOrigins, accountStandings } from '../../../actors/policy/account-lists.ts';
import { listAccounts } from '../../../operations/administration/list-accounts.ts';
import { acctOf } from '../../entities/account.ts';
import { command } from './command.ts';
import { asOneLine, text, wholeNumber, word } from './reading.ts';

const accountsListed = 50;
const accountsListedMax = 200;
const nameCharactersMax = 60;

const list = command({
  words: 'accounts list',
  flags: {
    origin: { value: 'ORIGIN', sentence: `Only accounts of this server, or of others: ${accountOrigins.join(', ')}.` },
    status: { value: 'STATUS', sentence: `Only those that are ${accountStandings.join(', ')}.` },
    role: { value: 'ROLE', sentence: 'Only those with this role: its name, or its number.' },
    domain: { value: 'DOMAIN', sentence: 'Only those with a handle of this domain.' },
    name: { value: 'BEGINNING', sentence: 'Only those whose user name begins so.' },
    'display-name': { value: 'BEGINNING', sentence: 'Only those whose display name begins so.' },
    email: { value: 'BEGINNING', sentence: 'Only those whose e-mail address begins so.' },
    ip: {
      value: 'ADDRESS',
      sentence: 'Only those that were used from this IP address, or from a range such as 192.0.2.0/24.',
    },
    'invited-by': { value: 'NAME', sentence: 'Only those that this account has invited.' },
    before: { value: 'ID', sentence: 'Only accounts older than this one.' },
    limit: { value: 'NUMBER', sentence: `Number of accounts to list, ${accountsListed} by default.` },
  },
  sentence: 'Lists accounts, newest first.',
  read: (_argument, flags) => {
    const role = text(flags, 'role');
    return {
      origin: word(flags, 'origin', accountOrigins),
      standing: word(flags, 'status', accountStandings),
      ...(role !== undefined && { roles: [role] }),
      domain: text(flags, 'domain'),
      username: text(flags, 'name'),
      displayName: text(flags, 'display-name'),
      email: text(flags, 'email'),
      ip: text(flags, 'ip'),
      invitedBy: text(flags, 'invited-by'),
      maxId: text(flags, 'before'),
      limit: wholeNumber(flags, 'limit', accountsListedMax) ?? accountsListed,
    };
  },
  operation: listAccounts,
  print: ({ items, full, oldest }) => [
    ...items.map(({ profile, addedRole }) => {
      const { id, createdAt, suspendedAt, limited, role, displayName } = profile;
      const marks = [
        ...(addedRole !== undefined ? [asOneLine(addedRole.name, nameCharactersMax)] : role === 'user' ? [] : [role]),
        ...(suspendedAt === undefined ? [] : ['suspended']),
        ...(limited ? ['limited'] : []),
      ];
      const name = asOneLine(displayName, nameCharactersMax);
      return [id, new Date(createdAt).toISOString(), `@${acctOf(profile)}`, ...marks, name].join('  ').trimEnd();
    }),
    ...(items.length === 0 && !full ? ['There are no such accounts.'] : []),
    ...(full ? [`Older ones: --before ${oldest}`] : []),
  ],
});

export const accountListCommands = [list];
