/** Commands about other servers: which of them are suspended, silenced or allowed. */
import type { DomainAllow, DomainBlock } from '../../../actors/instance/domains/domains.records.ts';
import { domainSeverities, federationModes } from '../../../actors/policy/domains.ts';
import {
  allowDomain,
  disallowDomain,
  listDomainAllows,
  setFederationMode,
} from '../../../operations/administration/domain-allows.ts';
import {
  blockDomain,
  changeDomainBlock,
  listDomainBlocks,
  rulesListedMax,
  unblockDomain,
} from '../../../operations/administration/domain-blocks.ts';
import { command } from './command.ts';
import { asOneLine, demandChange, either, text, wholeNumber, word, wordOf } from './reading.ts';

const commentCharactersMax = 200;
const limit = { value: 'NUMBER', sentence: `How many to list, ${rulesListedMax} by default.` };

const block = command({
  words: 'domains block',
  argument: 'DOMAIN',
  flags: {
    severity: { value: 'SEVERITY', sentence: `One of ${domainSeverities.join(', ')}; suspend by default.` },
    'reject-media': { sentence: 'Its files are not stored here.' },
    'reject-reports': { sentence: 'Its reports are dropped.' },
    obfuscate: { sentence: 'The public list hides a part of its name.' },
    comment: { value: 'TEXT', sentence: 'The reason, for everybody.' },
    'private-comment': { value: 'TEXT', sentence: 'The reason, for staff.' },
    exception: { sentence: 'The rule may be milder than that of a domain above it.' },
  },
  sentence: 'Suspends or silences a domain and its subdomains.',
  read: (domain, given) => ({
    domain,
    severity: word(given, 'severity', domainSeverities) ?? 'suspend',
    rejectMedia: given['reject-media'] === true,
    rejectReports: given['reject-reports'] === true,
    obfuscate: given.obfuscate === true,
    publicComment: text(given, 'comment'),
    privateComment: text(given, 'private-comment'),
    isException: given.exception === true,
  }),
  mayComeFirst: true,
  operation: blockDomain,
  print: ({ block: rule, isNew }) => [isNew ? lineOf(rule) : `There is a rule already: ${lineOf(rule)}`],
});

const modify = command({
  words: 'domains modify',
  argument: 'DOMAIN',
  flags: {
    severity: { value: 'SEVERITY', sentence: `One of ${domainSeverities.join(', ')}.` },
    'reject-media': { sentence: 'Its files are not stored here.' },
    'accept-media': { sentence: 'They are again.' },
    'reject-reports': { sentence: 'Its reports are dropped.' },
    'accept-reports': { sentence: 'They are not any more.' },
    obfuscate: { sentence: 'The public list hides a part of its name.' },
    'show-name': { sentence: 'It does not any more.' },
    comment: { value: 'TEXT', sentence: 'The reason, for everybody.' },
    'private-comment': { value: 'TEXT', sentence: 'The reason, for staff.' },
  },
  sentence: 'Changes the rule for a domain; what is not given stays. `domains preview` says what a suspension ends.',
  read(id, given) {
    demandChange(given);
    return {
      id,
      severity: word(given, 'severity', domainSeverities),
      rejectMedia: either(given, 'reject-media', 'accept-media'),
      rejectReports: either(given, 'reject-reports', 'accept-reports'),
      obfuscate: either(given, 'obfuscate', 'show-name'),
      publicComment: text(given, 'comment'),
      privateComment: text(given, 'private-comment'),
    };
  },
  operation: changeDomainBlock,
  print: (rule) => [lineOf(rule)],
});

const unblock = command({
  words: 'domains unblock',
  argument: 'DOMAIN',
  sentence: 'Removes the rule for a domain. Follows that it ended do not come back.',
  read: (domain) => ({ domain }),
  operation: unblockDomain,
  print: (rule) => [`Removed: ${lineOf(rule)}`],
});

const list = command({
  words: 'domains list',
  flags: { limit },
  sentence: 'Lists the rules for other domains, the latest first.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', rulesListedMax) ?? rulesListedMax }),
  operation: listDomainBlocks,
  print: ({ items }) => (items.length === 0 ? ['There are no rules for other domains.'] : items.map(lineOf)),
});

const allow = command({
  words: 'domains allow',
  argument: 'DOMAIN',
  sentence: 'Allows a domain and its subdomains, which matters where the mode of federation is allow-list.',
  read: (domain) => ({ domain }),
  mayComeFirst: true,
  operation: allowDomain,
  print: ({ domain }) => [`Allowed: ${domain}`],
});

const disallow = command({
  words: 'domains disallow',
  argument: 'DOMAIN',
  sentence: 'Takes a domain off the allow-list.',
  read: (domain) => ({ domain }),
  operation: disallowDomain,
  print: ({ domain }) => [`Not allowed any more: ${domain}`],
});

const allowed = command({
  words: 'domains allowed',
  flags: { limit },
  sentence: 'Lists the allowed domains, the latest first.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', rulesListedMax) ?? rulesListedMax }),
  operation: listDomainAllows,
  print: ({ items }) => (items.length === 0 ? ['No domains are allowed.'] : items.map(nameOf)),
});

const mode = command({
  words: 'domains mode',
  argument: 'MODE',
  sentence: `Sets with which servers this one talks: ${federationModes.join(', ')}.`,
  read: (given) => ({ mode: wordOf(given, federationModes) }),
  mayComeFirst: true,
  operation: setFederationMode,
  print: (_set, { mode: set }) => [`Federation: ${set}`],
});

function nameOf({ domain }: DomainAllow): string {
  return domain;
}

function lineOf(rule: DomainBlock): string {
  const { domain, severity, rejectMedia, rejectReports, obfuscate, publicComment, privateComment } = rule;
  const notes = [
    ...(rule.isOfLists === true ? ['from blocklists'] : []),
    ...(rejectMedia ? ['rejects media'] : []),
    ...(rejectReports ? ['rejects reports'] : []),
    ...(obfuscate ? ['obfuscated'] : []),
    ...[publicComment, privateComment].flatMap((said) =>
      said === undefined ? [] : asOneLine(said, commentCharactersMax),
    ),
  ];
  return [domain, severity, ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`])].join('  ');
}

export const domainCommands = [block, modify, unblock, list, allow, disallow, allowed, mode];
