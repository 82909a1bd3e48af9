/** The command that shows the audit log. */
import { type AuditChange, auditActionNames, auditActions, auditTargets } from '../../../actors/audit.records.ts';
import {
  auditEntriesListedMax,
  type ListedAuditEntry,
  listAudit,
} from '../../../operations/administration/list-audit.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, text, wholeNumber, word, wordOf } from './reading.ts';

const entriesListed = 50;
const valueCharactersMax = 80;
const commandLine = 'command-line';
const server = 'server';

const list = command({
  words: 'audit list',
  flags: {
    by: { value: 'NAME', sentence: `Only what this account decided; ${commandLine} or ${server} for these.` },
    about: { value: 'NAME', sentence: 'Only what was decided about this account.' },
    action: { value: 'ACTION', sentence: `Only one kind of decision: ${auditActionNames.join(', ')}.` },
    target: { value: 'KIND[:ID]', sentence: `Only decisions about ${auditTargets.join(', ')}, or about one of them.` },
    before: { value: 'ID', sentence: 'Only entries older than this one.' },
    limit: { value: 'NUMBER', sentence: `Number of entries to list, ${entriesListed} by default.` },
  },
  sentence: 'Lists what staff, the command line and the server itself have decided, newest first.',
  read: (_argument, flags) => ({
    ...whoOf(text(flags, 'by')),
    about: text(flags, 'about'),
    action: word(flags, 'action', auditActionNames),
    ...targetOf(flags),
    maxId: text(flags, 'before'),
    limit: wholeNumber(flags, 'limit', auditEntriesListedMax) ?? entriesListed,
  }),
  operation: listAudit,
  print: ({ items, full, oldest }) => [
    ...items.flatMap(describe),
    ...(items.length === 0 && !full ? ['There are no such entries.'] : []),
    ...(full ? [`Older ones: --before ${oldest}`] : []),
  ],
});

function whoOf(by: string | undefined) {
  if (by === commandLine) return { by: 'commandLine' } as const;
  return by === server ? ({ by: 'server' } as const) : { actor: by };
}

function targetOf(flags: FlagValues) {
  const [kind, ...rest] = text(flags, 'target')?.split(':') ?? [];
  if (kind === undefined) return {};
  const targetId = rest.length === 0 ? undefined : rest.join(':');
  return { target: wordOf(kind, auditTargets, '--target'), targetId };
}

function describe({ entry, actor }: ListedAuditEntry): string[] {
  const { id, at, by, action, targetId, name, address, reportId, changes } = entry;
  const who = by === 'account' ? `@${actor?.username ?? entry.accountId}` : by === server ? server : commandLine;
  const target = [auditActions[action], ...(targetId === undefined ? [] : [targetId])].join(':');
  const details = [
    ...(address === undefined ? [] : [`from ${address}`]),
    ...(reportId === undefined ? [] : [`report ${reportId}`]),
  ];
  return [
    [id, new Date(at).toISOString(), who, action, target, shown(name), ...details].join('  '),
    ...changes.map((change) => `  ${asSentence(change)}`),
  ];
}

function asSentence({ field, before, after }: AuditChange): string {
  if (before === undefined && after === undefined) return `${field}: changed`;
  if (before === undefined) return `${field}: ${shown(after)}`;
  return after === undefined ? `${field}: was ${shown(before)}` : `${field}: ${shown(before)} -> ${shown(after)}`;
}

function shown(value: unknown): string {
  return asOneLine(String(value), valueCharactersMax);
}

export const auditCommands = [list];
