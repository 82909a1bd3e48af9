/** Commands about rules for other servers as files, and about what a rule would sever. */
import { basename } from 'node:path';
import {
  type DomainImport,
  domainListLimits,
  exportDomainAllows,
  exportDomainBlocks,
  type ImportedRow,
  importDomainAllows,
  importDomainBlocks,
  previewAllowList,
  previewDomainBlock,
  type SeveredPreview,
} from '../../../operations/administration/domain-lists.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, contentOf, UsageError } from './reading.ts';

const domainCharactersMax = 300;
const dry = { 'dry-run': { sentence: 'Nothing is changed: tells what would happen.' } };

const linesAbout = ({ accounts, followers, following, affectedCount, affected, isWhole }: SeveredPreview): string[] => [
  `Accounts known of it: ${accounts}`,
  `Followers from there that accounts here would lose: ${followers}`,
  `Follows of accounts there that would end: ${following}`,
  `Accounts here that would lose some: ${affectedCount}`,
  ...affected.map((one) => `  ${one.accountId}  followers ${one.followers}, following ${one.following}`),
  ...(isWhole ? [] : ['There is more than could be counted.']),
];

const preview = command({
  words: 'domains preview',
  argument: 'DOMAIN',
  sentence: 'Tells what a suspension of a domain and its subdomains would end.',
  read: (domain) => ({ domain }),
  operation: previewDomainBlock,
  print: linesAbout,
});

const previewMode = command({
  words: 'domains preview-allowed',
  sentence: 'Tells what the mode allow-list would end: whatever there is with servers that are not allowed.',
  read: () => ({}),
  operation: previewAllowList,
  print: linesAbout,
});

function read(path: string, given: FlagValues) {
  const csv = contentOf(path).toString('utf8');
  const { charactersMax } = domainListLimits;
  if (csv.length > charactersMax) throw new UsageError(`${path} is too long: at most ${charactersMax} characters.`);
  return { csv, name: basename(path).slice(0, 200), isDryRun: given['dry-run'] === true };
}

function print({ rows, isDryRun }: DomainImport): string[] {
  const imported = rows.filter(({ outcome }) => outcome === 'imported').length;
  return [
    ...rows.map((row) => lineOf(row, isDryRun)),
    `${isDryRun ? 'Would import' : 'Imported'}: ${imported} of ${rows.length}`,
  ];
}

function lineOf({ line, domain, outcome, severed }: ImportedRow, isDryRun: boolean): string {
  const what = {
    imported: isDryRun ? 'would be imported' : 'imported',
    known: 'has a rule',
    invalid: 'cannot be read',
  };
  const ends = severed && `, ends ${severed.followers + severed.following} follows`;
  return `${line}  ${asOneLine(domain, domainCharactersMax)}  ${what[outcome]}${ends ?? ''}`;
}

const printed = (csv: string) => csv.trimEnd().split('\n');

export const domainListCommands = [
  preview,
  previewMode,
  command({
    words: 'domains export',
    sentence: 'Prints the rules for other domains as comma-separated values, in the form of Mastodon.',
    read: () => ({}),
    operation: exportDomainBlocks,
    print: printed,
  }),
  command({
    words: 'domains import',
    argument: 'FILE',
    flags: dry,
    sentence: 'Adds the rules of a list in the form of Mastodon, or suspends the domains of a plain list.',
    read,
    operation: importDomainBlocks,
    print,
  }),
  command({
    words: 'domains export-allowed',
    sentence: 'Prints the allowed domains, in the form of Mastodon.',
    read: () => ({}),
    operation: exportDomainAllows,
    print: printed,
  }),
  command({
    words: 'domains import-allowed',
    argument: 'FILE',
    flags: dry,
    sentence: 'Allows the domains of a list.',
    read,
    operation: importDomainAllows,
    print,
  }),
];
