/** Reports that a decision about the reported account closes. */
import { Account } from '../../actors/account/account.messages.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findReport, openReportsAbout } from '../../actors/account/reports/reports.queries.ts';
import type { Report } from '../../actors/account/reports/reports.records.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type Audited, knowingAll } from '../audit.ts';
import { flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';

/** The rest stays open: nobody has looked at that many. */
const closedAtOnceMax = 500;

/** Throws Failure notFound for a report about another account, and validation for one that somebody else has closed. */
export function openReportFor(services: Services, reportId: Id, targetId: Id, callerId: Id | undefined): Report {
  const report = findReport(services.snapshots, reportId);
  if (report?.targetId !== targetId) throw new Failure('notFound');
  demandUndecided(services, report, callerId);
  return report;
}

/** Throws Failure validation, saying who has closed it. Who did may do more. */
function demandUndecided(
  { snapshots }: Pick<Services, 'snapshots'>,
  { id, resolvedAt, resolvedById }: Report,
  callerId: Id | undefined,
): void {
  if (resolvedAt === undefined || (callerId !== undefined && resolvedById === callerId)) return;
  const by = resolvedById === undefined ? undefined : findProfile(snapshots, resolvedById)?.username;
  const who = by === undefined ? 'was closed' : `was closed by ${by}`;
  throw validationFailure(`The report ${id} ${who}, at ${new Date(resolvedAt).toISOString()}.`);
}

interface Closing {
  readonly targetId: Id;
  readonly strikeId: Id;
  readonly reportId?: Id | null | undefined;
}

/** All open reports about an account, or only the given one; none for null. */
export async function closeReports(
  { caller, services, audit }: OperationContext & Audited,
  { targetId, strikeId, reportId }: Closing,
): Promise<void> {
  const chosen = reportId === undefined ? openReportsAbout(services.snapshots, targetId, closedAtOnceMax) : [];
  const given = typeof reportId === 'bigint' ? findReport(services.snapshots, reportId) : undefined;
  await Promise.all(
    [...chosen, ...(given === undefined ? [] : [given])].map(({ id, accountId }) => {
      const written = { ...knowingAll(audit), action: 'resolveReport', reportId: id } as const;
      const message = Account.resolveReport.to(accountId, {
        reportId: id,
        resolvedById: caller.accountId,
        strikeId,
        audit: written,
      });
      return services.client.call(message, flowOf(caller));
    }),
  );
}
