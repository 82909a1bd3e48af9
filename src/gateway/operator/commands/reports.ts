/** Commands about reports. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import {
  listOpenReports,
  type OpenReport,
  reportsListedMax,
  resolveReport,
} from '../../../operations/reports/open-reports.ts';
import { acctOf } from '../../entities/account.ts';
import { command } from './command.ts';
import { asOneLine, wholeNumber } from './reading.ts';

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

export const reportCommands = [list, resolve];
