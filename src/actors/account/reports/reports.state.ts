/**
 * The keyspaces of reports. The reporting account owns them; each partition lists its open reports, and its closed
 * ones, and finds both by either side. Numbers 196, 198 to 202.
 */
import { z } from 'zod';
import { present, record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, uint32 } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { counterparts, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference, withAccount } from '../account.state.ts';
import { Report } from './reports.records.ts';

export const reports = keyspace<[bigint], Report>({
  number: 198,
  name: 'reports',
  owner,
  key: [id('report')],
  value: record(Report),
  bound: withAccount,
});

export const reportsByAccount = keyspace<[bigint, bigint], true>({
  number: 199,
  name: 'reports by account',
  owner,
  derived: true,
  key: [id('account'), id('report')],
  value: present,
  bound: withAccount,
});

/** By the URI of a Flag and the account that it reports. */
export const reportOfActivity = keyspace<[bigint, string], Reference>({
  number: 200,
  name: 'report of activity',
  owner,
  key: [id('account'), hashedString('activity and target')],
  value: record(Reference),
  bound: withAccount,
});

const ListedReport = z.object({ accountId: z.bigint(), targetId: z.bigint() });

export const openReports = keyspace<[bigint], z.infer<typeof ListedReport>>({
  number: 201,
  name: 'open reports',
  owner,
  partitionWide: true,
  derived: true,
  key: [id('report')],
  value: record(ListedReport),
  bound: { by: 'owner', reason: 'until staff close them' },
});

export const resolvedReports = keyspace<[bigint], z.infer<typeof ListedReport>>({
  number: 202,
  name: 'resolved reports',
  owner,
  partitionWide: true,
  derived: true,
  key: [id('report')],
  value: record(ListedReport),
  bound: { by: 'owner', reason: 'as long as the report' },
});

/** The lists in which an account has reports. Append only: the numbers are stored. */
export const reportLists = { openAbout: 1, closedAbout: 2, openBy: 3, closedBy: 4 } as const;
export type ReportList = keyof typeof reportLists;

/** By the account that is reported, and by the one that reports. */
export const listedReports = keyspace<[number, bigint, bigint], true>({
  number: 196,
  name: 'listed reports',
  owner,
  partitionWide: true,
  derived: true,
  key: [uint32('list'), id('either side'), id('report')],
  value: present,
  bound: { by: 'owner', reason: 'two entries of each report' },
});

export function listingsOf({ id: report, accountId, targetId, resolvedAt }: Report): [number, bigint, bigint][] {
  const [about, by] =
    resolvedAt === undefined
      ? [reportLists.openAbout, reportLists.openBy]
      : [reportLists.closedAbout, reportLists.closedBy];
  return [
    [about, targetId, report],
    [by, accountId, report],
  ];
}

function misplaced(report: bigint, wanted: 'open' | 'resolved', reader: Reader): string | undefined {
  const kept = reader.get(reports, [report]);
  if (kept === undefined) return 'leads to a report that is not there';
  const is = kept.resolvedAt === undefined ? 'open' : 'resolved';
  return is === wanted ? undefined : `leads to a report that is ${is}`;
}

export const reportRules: readonly Rule[] = [
  ...counterparts(
    reports,
    (_key, { id: report, accountId }) => [accountId, report],
    reportsByAccount,
    ([, report]) => [report],
  ),
  rule(reports, ([report], { resolvedAt }, reader) => {
    const list = resolvedAt === undefined ? openReports : resolvedReports;
    return reader.get(list, [report]) === undefined ? `is not among the ${list.name}` : undefined;
  }),
  rule(openReports, ([report], _listed, reader) => misplaced(report, 'open', reader)),
  rule(resolvedReports, ([report], _listed, reader) => misplaced(report, 'resolved', reader)),
  rule(reports, (_key, report, reader) =>
    listingsOf(report).every((listing) => reader.get(listedReports, listing) !== undefined)
      ? undefined
      : 'cannot be found by both of its sides',
  ),
  rule(listedReports, ([list, side, report], _present, reader) => {
    const kept = reader.get(reports, [report]);
    const isRight = kept && listingsOf(kept).some((listing) => listing[0] === list && listing[1] === side);
    return isRight === true ? undefined : 'leads to a report that is not listed there';
  }),
  rule(reportOfActivity, (_key, { id: report }, reader) =>
    reader.get(reports, [report]) === undefined ? 'leads to a report that is not there' : undefined,
  ),
];
