/**
 * Deletes statuses, or marks them as sensitive, with a strike: those of a report, which closes it, or any that everybody here
 * may read.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import { isForEverybodyHere } from '../../actors/policy/visibility.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { type KnownAccount, sanctionable } from '../administration/local-account.ts';
import { strike, textOf, told } from '../administration/sanction.ts';
import type { Audited } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { destinationsOfDeletion, destinationsOfStatus } from '../statuses/own-status.ts';

interface Act {
  readonly action: 'delete_statuses' | 'mark_statuses_as_sensitive';
  isConcerned(status: Status): boolean;
  messageFor(services: Services, status: Status): Promise<Envelope<undefined>>;
}

const deletion: Act = {
  action: 'delete_statuses',
  isConcerned: () => true,
  /** A remote one does not come back when its server sends it again. */
  async messageFor(services, status) {
    const { id: statusId, accountId, uri } = status;
    if (uri !== undefined) return Account.receiveDelete.to(accountId, { uri });
    const destinations = await services.slices.run(destinationsOfDeletion(services, status));
    return Account.deleteStatus.to(accountId, { statusId, removesMedia: true, destinations });
  },
};

const marking: Act = {
  action: 'mark_statuses_as_sensitive',
  isConcerned: ({ attachments, sensitive }) => attachments.length > 0 && !sensitive,
  async messageFor(services, status) {
    const { id: statusId, accountId } = status;
    const destinations = await services.slices.run(destinationsOfStatus(services, status));
    return Account.markSensitive.to(accountId, { statusId, destinations });
  },
};

interface Told {
  readonly text?: string | undefined;
  readonly tells?: boolean | undefined;
  readonly presetId?: Id | undefined;
  readonly reportId?: Id | undefined;
}

/** Throws Failure validation where there is none that it can be done to. */
async function perform(
  context: OperationContext & Audited,
  { action, isConcerned, messageFor }: Act,
  account: KnownAccount,
  statuses: readonly Status[],
  { text, presetId, reportId, tells }: Told,
): Promise<void> {
  const { caller, services } = context;
  const concerned = statuses.filter(isConcerned);
  if (concerned.length === 0) throw validationFailure('There are no posts that this could be done to.');
  const statusIds = concerned.map(({ id }) => id);
  const said = textOf(services, { text, presetId });
  await strike(context, account, { action, text: said, statusIds, reportId, tells });
  for (const status of concerned) await services.client.call(await messageFor(services, status), flowOf(caller));
}

/**
 * Throws Failure notFound for an unknown report, forbidden where it is about an account with the same role or a higher one,
 * and validation where nothing is left of its statuses, and where somebody else has closed it.
 */
function ofReport(audit: AuditAction, act: Act) {
  return operation({
    input: z.object({ reportId: z.coerce.bigint(), ...told }),
    permission: 'manageReports',
    audit,
    on(context, { reportId }): KnownAccount {
      const report = findReport(context.services.snapshots, reportId);
      if (report === undefined) throw new Failure('notFound');
      return sanctionable(context, { account: report.targetId });
    },
    async run(context, given, account): Promise<void> {
      const { snapshots } = context.services;
      const { statusIds = [] } = findReport(snapshots, given.reportId) ?? {};
      const statuses = statusIds.flatMap((statusId) => findStatusRecord(snapshots, statusId) ?? []);
      const ofAccount = statuses.filter(({ accountId }) => accountId === account.id);
      await perform(context, act, account, ofAccount, given);
    },
  });
}

export const deleteReportedStatuses = ofReport('deleteReportedStatuses', deletion);
export const markReportedSensitive = ofReport('markReportedSensitive', marking);

const chosen = z.object({
  /** Of one account. */
  statusIds: z.array(z.coerce.bigint()).min(1).max(reportLimits.statusesMax),
  ...told,
});

interface Chosen {
  readonly account: KnownAccount;
  readonly statuses: readonly Status[];
}

/**
 * Throws Failure notFound for one that there is not, or that only some may read, forbidden where they are of an account with
 * the same role or a higher one, and validation where they are of several.
 */
function ofChoice(audit: AuditAction, act: Act) {
  return operation({
    input: chosen,
    permission: 'sanctionAccounts',
    audit,
    on: chosenStatuses,
    run: (context, given, { account, statuses }): Promise<void> => perform(context, act, account, statuses, given),
  });
}

function chosenStatuses(context: OperationContext, { statusIds }: z.output<typeof chosen>): Chosen {
  const statuses = [...new Set(statusIds)].map((statusId) => openStatus(context.services, statusId));
  const [accountId, ...others] = new Set(statuses.map((status) => status.accountId));
  if (accountId === undefined || others.length > 0) throw validationFailure('It needs posts of one account');
  return { account: sanctionable(context, { account: accountId }), statuses };
}

function openStatus({ snapshots }: Services, statusId: Id): Status {
  const status = findStatusRecord(snapshots, statusId);
  if (status === undefined || !isOpenToStaff(status)) throw new Failure('notFound');
  return status;
}

/** Staff read what is for some people only where one of them has reported it. */
export function isOpenToStaff(status: Status): boolean {
  return status.reblogOfId === undefined && status.heldReply === undefined && isForEverybodyHere(status);
}

export const deleteStatuses = ofChoice('deleteStatuses', deletion);
export const markStatusesSensitive = ofChoice('markStatusesSensitive', marking);
