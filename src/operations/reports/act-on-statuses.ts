/** Deletes the statuses of a report, or marks them as sensitive: a strike, which closes the report. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { type KnownAccount, sanctionable } from '../administration/local-account.ts';
import { strike, textOf, told } from '../administration/sanction.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { destinationsOfDeletion, destinationsOfStatus } from '../statuses/own-status.ts';

interface Act {
  readonly audit: AuditAction;
  readonly action: 'delete_statuses' | 'mark_statuses_as_sensitive';
  isConcerned(status: Status): boolean;
  messageFor(services: Services, status: Status): Promise<Envelope<undefined>>;
}

/**
 * Throws Failure notFound for an unknown report, forbidden where it is about an account with the same role or a higher one,
 * and validation where nothing is left of its statuses, and where somebody else has closed it.
 */
function actOnStatuses({ audit: name, action, isConcerned, messageFor }: Act) {
  return operation({
    input: z.object({ reportId: identifier, ...told }),
    permission: 'manageReports',
    audit: name,
    on(context, { reportId }): KnownAccount {
      const report = findReport(context.services.snapshots, reportId);
      if (report === undefined) throw new Failure('notFound');
      return sanctionable(context, { account: report.targetId });
    },
    async run(context, { reportId, text, tells, presetId }, account): Promise<void> {
      const { caller, services } = context;
      const statusIds = findReport(services.snapshots, reportId)?.statusIds ?? [];
      const statuses = statusIds.flatMap((statusId) => findStatusRecord(services.snapshots, statusId) ?? []);
      const concerned = statuses.filter((status) => status.accountId === account.id && isConcerned(status));
      if (concerned.length === 0) throw validationFailure('The report names no posts that this could be done to.');
      const ids = concerned.map(({ id }) => id);
      await strike(context, account, {
        action,
        text: textOf(services, { text, presetId }),
        statusIds: ids,
        reportId,
        tells,
      });
      for (const status of concerned) await services.client.call(await messageFor(services, status), flowOf(caller));
    },
  });
}

export const deleteReportedStatuses = actOnStatuses({
  audit: 'deleteReportedStatuses',
  action: 'delete_statuses',
  isConcerned: () => true,
  /** A remote one does not come back when its server sends it again. */
  async messageFor(services, status) {
    const { id: statusId, accountId, uri } = status;
    if (uri !== undefined) return Account.receiveDelete.to(accountId, { uri });
    const destinations = await services.slices.run(destinationsOfDeletion(services, status));
    return Account.deleteStatus.to(accountId, { statusId, removesMedia: true, destinations });
  },
});

export const markReportedSensitive = actOnStatuses({
  audit: 'markReportedSensitive',
  action: 'mark_statuses_as_sensitive',
  isConcerned: ({ attachments, sensitive }) => attachments.length > 0 && !sensitive,
  async messageFor(services, status) {
    const { id: statusId, accountId } = status;
    const destinations = await services.slices.run(destinationsOfStatus(services, status));
    return Account.markSensitive.to(accountId, { statusId, destinations });
  },
});
