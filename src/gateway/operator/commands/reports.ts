/** Commands about reports. */
import type { StoredWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { reportCategories } from '../../../actors/account/reports/reports.records.ts';
import { deleteReportedStatuses, markReportedSensitive } from '../../../operations/reports/act-on-statuses.ts';
import {
  assignReport,
  changeReport,
  reopenReport,
  showReport,
  unassignReport,
} from '../../../operations/reports/handle-reports.ts';
import {
  listOpenReports,
  type OpenReport,
  reportsListedMax,
  resolveReport,
} from '../../../operations/reports/open-reports.ts';
import { type PastReport, showReportHistory } from '../../../operations/reports/report-history.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import { acctOf } from '../../entities/account.ts';
import { command } from './command.ts';
import { asOneLine, demandChange, text, UsageError, wholeNumber, word } from './reading.ts';

const reportsListed = 20;
const commentCharactersMax = 400;

const list = command({
  words: 'reports list',
  flags: { limit: { value: 'NUMBER', sentence: `Number of reports to list, ${reportsListed} by default.` } },
  sentence: 'Lists the newest open reports with their subject and reporter.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', reportsListedMax) ?? reportsListed }),
  operation: listOpenReports,
  print: ({ reports, rest }) => {
    if (reports.length === 0) return ['There are no open reports.'];
    return [...reports.flatMap(describe), ...(rest > 0 ? [`${rest} more are older.`] : [])];
  },
});

function describe({ report, reporter, target }: OpenReport): string[] {
  const { id, createdAt, category, ruleIds, statusIds, comment, forwarded } = report;
  const details = [
    category,
    ...(ruleIds.length > 0 ? [`rules ${ruleIds.join(', ')}`] : []),
    ...(forwarded ? ['forwarded'] : []),
  ];
  return [
    `${id}  ${new Date(createdAt).toISOString()}  ${nameOf(target)} by ${nameOf(reporter)}: ${details.join('; ')}`,
    ...(statusIds.length > 0 ? [`  statuses: ${statusIds.join(' ')}`] : []),
    ...(comment === '' ? [] : [`  ${asOneLine(comment, commentCharactersMax)}`]),
  ];
}

function nameOf(profile: Profile | undefined): string {
  return profile === undefined ? 'an account that is gone' : `@${acctOf(profile)}`;
}

const resolve = command({
  words: 'reports resolve',
  argument: 'ID',
  sentence: 'Closes a report.',
  read: (reportId) => ({ reportId }),
  operation: resolveReport,
  print: (_closed, { reportId }) => [`Closed the report ${reportId}.`],
});

/** As the socket takes it. */
function idOf(argument: string): string {
  if (parseId(argument) === undefined) throw new UsageError(`ID must be the number of a report, not ${argument}.`);
  return argument;
}

const reopen = command({
  words: 'reports reopen',
  argument: 'ID',
  sentence: 'Opens a closed report again.',
  read: (argument) => ({ reportId: idOf(argument) }),
  operation: reopenReport,
  print: ({ id }) => [`Opened the report ${id} again.`],
});

const assign = command({
  words: 'reports assign',
  argument: 'ID',
  flags: { to: { value: 'NAME', required: true, sentence: 'One of those who handle reports.' } },
  sentence: 'Says who looks after a report.',
  read: (argument, flags) => ({ reportId: idOf(argument), assignee: text(flags, 'to') }),
  operation: assignReport,
  print: ({ id }, { assignee }) => [`${assignee} looks after the report ${id}.`],
});

const unassign = command({
  words: 'reports unassign',
  argument: 'ID',
  sentence: 'Makes nobody look after a report.',
  read: (argument) => ({ reportId: idOf(argument) }),
  operation: unassignReport,
  print: ({ id }) => [`Nobody looks after the report ${id}.`],
});

const show = command({
  words: 'reports show',
  argument: 'ID',
  sentence: 'Shows a report with both sides, and what became of it.',
  read: (argument) => ({ reportId: idOf(argument) }),
  operation: withNames(showReport),
  print: ({ report, target, reporter, assignee, resolver }) => [
    ...describe({ report, target, reporter }),
    ...(report.collectionIds === undefined ? [] : [`  collections: ${report.collectionIds.join(' ')}`]),
    `  looked after by: ${report.assignedToId === undefined ? 'nobody' : nameOf(assignee)}`,
    report.resolvedAt === undefined
      ? '  open'
      : `  closed ${new Date(report.resolvedAt).toISOString()} by ${report.resolvedById === undefined ? 'the command line' : nameOf(resolver)}`,
  ],
});

/** With the accounts that it names, which the command line has no other way to find. */
function withNames(operation: typeof showReport) {
  const run = (context: Parameters<typeof showReport>[0], given: Parameters<typeof showReport>[1]) => {
    const report = operation(context, given);
    const { snapshots } = context.services;
    const profileOf = (id: Id | undefined) => (id === undefined ? undefined : findProfile(snapshots, id));
    return {
      report,
      target: profileOf(report.targetId),
      reporter: profileOf(report.accountId),
      assignee: profileOf(report.assignedToId),
      resolver: profileOf(report.resolvedById),
    };
  };
  return Object.assign(run, { input: operation.input, audit: operation.audit });
}

const modify = command({
  words: 'reports modify',
  argument: 'ID',
  flags: {
    category: { value: 'CATEGORY', sentence: `One of ${reportCategories.join(', ')}.` },
    rules: { value: '"ID …"', sentence: 'The numbers of the broken rules; an empty text for none.' },
  },
  sentence: 'Changes the category and the broken rules of a report; what is not given stays.',
  read(argument, flags) {
    demandChange(flags);
    const ruleIds = text(flags, 'rules')
      ?.split(/[\s,]+/)
      .filter((one) => one !== '');
    return { reportId: idOf(argument), category: word(flags, 'category', reportCategories), ruleIds };
  },
  operation: changeReport,
  print: ({ id, category, ruleIds }) => [
    `The report ${id}: ${[category, ...(ruleIds.length > 0 ? [`rules ${ruleIds.join(', ')}`] : [])].join('; ')}`,
  ],
});

const act = (verb: string, operation: typeof deleteReportedStatuses, sentence: string, done: string) =>
  command({
    words: `reports ${verb}`,
    argument: 'ID',
    flags: { text: { value: 'TEXT', sentence: 'What the account is told.' } },
    sentence,
    read: (argument, flags) => ({ reportId: idOf(argument), text: text(flags, 'text') }),
    operation,
    print: (_done, { reportId }) => [`${done}, and closed the report ${reportId}.`],
  });

const acts = [
  act(
    'delete-posts',
    deleteReportedStatuses,
    'Deletes the posts of a report, with a strike, and closes it.',
    'Deleted its posts',
  ),
  act(
    'mark-sensitive',
    markReportedSensitive,
    'Marks the posts of a report as sensitive, with a strike, and closes it.',
    'Marked its posts as sensitive',
  ),
];

const history = command({
  words: 'reports history',
  argument: 'ID',
  sentence: 'Shows what was decided about the reported account, and what became of other reports of both sides.',
  read: (argument) => ({ reportId: idOf(argument) }),
  operation: named(showReportHistory),
  print: ({ strikes, about, by, target, reporter }) => [
    `Decisions about ${target}:`,
    ...orNone(strikes.map(describeStrike)),
    `Other reports about ${target}:`,
    ...orNone(about.map(describePast)),
    `Other reports by ${reporter}:`,
    ...orNone(by.map(describePast)),
  ],
});

/** With the names of both sides, which the command line has no other way to find. */
function named(operation: typeof showReportHistory) {
  const run = (context: Parameters<typeof showReportHistory>[0], given: Parameters<typeof showReportHistory>[1]) => {
    const found = operation(context, given);
    const { targetId, accountId } = found.report;
    const name = (id: Id) => nameOf(findProfile(context.services.snapshots, id));
    return { ...found, target: name(targetId), reporter: name(accountId) };
  };
  return Object.assign(run, { input: operation.input, audit: operation.audit });
}

const orNone = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ['  none'] : lines);

function describeStrike({ id, createdAt, action, text: said }: StoredWarning): string {
  const time = new Date(createdAt).toISOString();
  return `  ${id}  ${time}  ${action}${said === '' ? '' : `: ${asOneLine(said, commentCharactersMax)}`}`;
}

function describePast({ report: { id, createdAt, category, resolvedAt }, strike }: PastReport): string {
  const outcome = resolvedAt === undefined ? 'open' : `closed, ${strike?.action ?? 'without a decision'}`;
  return `  ${id}  ${new Date(createdAt).toISOString()}  ${category}  ${outcome}`;
}

export const reportCommands = [list, show, history, modify, ...acts, resolve, reopen, assign, unassign];
