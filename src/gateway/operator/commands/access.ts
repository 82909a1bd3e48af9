/** Commands about who may sign up or come at all: e-mail domains and addresses, IP addresses, names. */
import type { AddressBlock } from '../../../actors/instance/access/access.records.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { addressSeverities } from '../../../actors/policy/access.ts';
import {
  blockCanonicalEmail,
  listCanonicalEmailBlocks,
  testCanonicalEmail,
  unblockCanonicalEmail,
} from '../../../operations/administration/canonical-email-blocks.ts';
import { rulesListedMax } from '../../../operations/administration/domain-blocks.ts';
import {
  blockEmailDomain,
  listEmailDomainBlocks,
  unblockEmailDomain,
} from '../../../operations/administration/email-domain-blocks.ts';
import { blockAddress, listAddressBlocks, unblockAddress } from '../../../operations/administration/ip-blocks.ts';
import {
  blockUsername,
  listUsernameBlocks,
  unblockUsername,
} from '../../../operations/administration/username-blocks.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, text, wholeNumber, word } from './reading.ts';

const flags = { limit: { value: 'NUMBER', sentence: `How many to list, ${rulesListedMax} by default.` } };
const limitOf = (_argument: string, given: FlagValues) => ({
  limit: wholeNumber(given, 'limit', rulesListedMax) ?? rulesListedMax,
});
const approval = { 'with-approval': { sentence: 'Who signs up with it waits for approval instead of being refused.' } };
const isWithApproval = (given: FlagValues) => given['with-approval'] === true;

const hourSeconds = 60 * 60;
const hoursMax = Math.floor(instanceLimits.addressBlockSecondsMax / hourSeconds);
const commentCharactersMax = 200;

const emailDomains = [
  command({
    words: 'email-domains block',
    argument: 'DOMAIN',
    flags: approval,
    sentence: 'Refuses sign-ups with e-mail addresses of a domain and those below it.',
    read: (domain, given) => ({ domain, allowWithApproval: isWithApproval(given) }),
    operation: blockEmailDomain,
    print: ({ domain }) => [`Blocked: ${domain}`],
  }),
  command({
    words: 'email-domains unblock',
    argument: 'DOMAIN',
    sentence: 'Accepts sign-ups with e-mail addresses of a domain again.',
    read: (domain) => ({ domain }),
    operation: unblockEmailDomain,
    print: ({ domain }) => [`Unblocked: ${domain}`],
  }),
  command({
    words: 'email-domains list',
    flags,
    sentence: 'Lists the blocked domains of e-mail addresses, the latest first.',
    read: limitOf,
    operation: listEmailDomainBlocks,
    print: ({ items }) =>
      items.map(({ domain, allowWithApproval }) => (allowWithApproval ? `${domain}  (with approval)` : domain)),
  }),
];

const emails = [
  command({
    words: 'emails block',
    argument: 'ADDRESS',
    sentence: 'Refuses sign-ups with an e-mail address, in whatever spelling. Only a digest of it is kept.',
    read: (email) => ({ email }),
    operation: blockCanonicalEmail,
    print: ({ hash }) => [`Blocked: ${hash}`],
  }),
  command({
    words: 'emails unblock',
    argument: 'ADDRESS',
    sentence: 'Accepts sign-ups with an e-mail address again.',
    read: (email) => ({ email }),
    operation: unblockCanonicalEmail,
    print: ({ hash }) => [`Unblocked: ${hash}`],
  }),
  command({
    words: 'emails test',
    argument: 'ADDRESS',
    sentence: 'Tells whether an e-mail address is blocked.',
    read: (email) => ({ email }),
    operation: testCanonicalEmail,
    print: (met) => (met.length === 0 ? ['It is not blocked.'] : met.map(({ hash }) => `Blocked: ${hash}`)),
  }),
  command({
    words: 'emails list',
    flags,
    sentence: 'Lists the digests of blocked e-mail addresses, the latest first.',
    read: limitOf,
    operation: listCanonicalEmailBlocks,
    print: ({ items }) => items.map(({ hash }) => hash),
  }),
];

const addresses = [
  command({
    words: 'addresses block',
    argument: 'RANGE',
    flags: {
      severity: { value: 'SEVERITY', sentence: `One of ${addressSeverities.join(', ')}; sign_up_block by default.` },
      hours: { value: 'NUMBER', sentence: 'How long; for ever by default.' },
      comment: { value: 'TEXT', sentence: 'The reason, for staff.' },
    },
    sentence: 'Blocks an IP address or a range of them, such as 192.0.2.0/24.',
    read: (range, given) => ({
      range,
      severity: word(given, 'severity', addressSeverities) ?? 'sign_up_block',
      comment: text(given, 'comment'),
      expiresInSeconds: (wholeNumber(given, 'hours', hoursMax) ?? 0) * hourSeconds,
    }),
    operation: blockAddress,
    print: (block) => [lineOf(block)],
  }),
  command({
    words: 'addresses unblock',
    argument: 'RANGE',
    sentence: 'Unblocks a range of IP addresses, as it was blocked.',
    read: (range) => ({ range }),
    operation: unblockAddress,
    print: ({ range }) => [`Unblocked: ${range}`],
  }),
  command({
    words: 'addresses list',
    flags,
    sentence: 'Lists the blocked ranges of IP addresses, the latest first.',
    read: limitOf,
    operation: listAddressBlocks,
    print: ({ items }) => items.map(lineOf),
  }),
];

const usernames = [
  command({
    words: 'usernames block',
    argument: 'NAME',
    flags: { exact: { sentence: 'Only this name; by default every name that contains it.' }, ...approval },
    sentence: 'Refuses sign-ups with a name, and with names that look like it.',
    read: (username, given) => ({
      username,
      isExact: given.exact === true,
      allowWithApproval: isWithApproval(given),
    }),
    operation: blockUsername,
    print: ({ username }) => [`Blocked: ${username}`],
  }),
  command({
    words: 'usernames unblock',
    argument: 'NAME',
    sentence: 'Accepts sign-ups with a name again.',
    read: (username) => ({ username }),
    operation: unblockUsername,
    print: ({ username }) => [`Unblocked: ${username}`],
  }),
  command({
    words: 'usernames list',
    flags,
    sentence: 'Lists the blocked names, the latest first.',
    read: limitOf,
    operation: listUsernameBlocks,
    print: ({ items }) =>
      items.map(({ username, isExact, allowWithApproval }) =>
        [username, isExact ? 'exactly' : 'contained', ...(allowWithApproval ? ['with approval'] : [])].join('  '),
      ),
  }),
];

function lineOf({ range, severity, comment, expiresAt }: AddressBlock): string {
  const until = expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString()}`];
  return [range, severity, ...until, asOneLine(comment, commentCharactersMax)].filter((part) => part !== '').join('  ');
}

export const accessCommands = [...emailDomains, ...emails, ...addresses, ...usernames];
