/**
 * Reports an account, with statuses and collections of it, to the staff of this server and, where it is remote,
 * anonymously to its own server (specification 4.10, 6.2: Flag).
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { staffNotifiedOf } from '../../actors/account/profile/staff.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import { type Report, reportCategories } from '../../actors/account/reports/reports.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { shownCollection } from '../collections/known-collection.ts';
import { settingsOf } from '../instance/settings.ts';
import { type OperationContext, operation } from '../operation.ts';
import { type FieldProblem, refuseFields, tooLong } from '../refused-fields.ts';
import { visibleStatus } from '../statuses/visible-status.ts';
import { exceedsCharacters } from '../text-lengths.ts';

const input = z.object({
  targetId: identifier,
  statusIds: z.array(identifier),
  collectionIds: z.array(identifier),
  /** The broken rules: then the category is `violation`. */
  ruleIds: z.array(z.string()),
  category: z.enum(reportCategories).optional(),
  comment: z.string(),
  /** Whether the server of a remote account is informed; true by default. */
  forward: z.boolean().optional(),
});
type Input = z.output<typeof input>;

const noSuchRules: FieldProblem = { kind: 'invalid', words: 'does not reference valid rules' };

export const reportAccount = operation({
  input,
  permission: 'report',
  limit: 'reports',
  /**
   * Throws Failure notFound for an unknown account, and for statuses and collections that are not its own or not
   * visible.
   */
  async run(context, given): Promise<Report> {
    const { caller, services } = context;
    const { profile } = knownAccount(services, given.targetId);
    if (profile.id === caller.accountId) throw validationFailure('You cannot report yourself');
    const statusIds = [...new Set(given.statusIds)];
    const ruleIds = [...new Set(given.ruleIds)];
    const collectionIds = [...new Set(given.collectionIds)];
    checkReport(context, { ...given, statusIds, ruleIds, collectionIds });
    for (const statusId of statusIds) demandStatusOf(context, statusId, profile.id);
    for (const collectionId of collectionIds) demandCollectionOf(context, collectionId, profile.id);
    const { reportId } = await services.client.call(
      Account.fileReport.to(caller.accountId, {
        targetId: profile.id,
        statusIds,
        ...(collectionIds.length > 0 && { collectionIds }),
        ruleIds,
        category: ruleIds.length > 0 ? 'violation' : (given.category ?? 'other'),
        comment: cleanText(given.comment),
        forwardTo: given.forward === false ? undefined : destinationOf(profile),
        staffIds: staffNotifiedOf(services.snapshots, 'admin.report'),
      }),
      flowOf(caller),
    );
    const report = findReport(services.snapshots, reportId);
    if (report === undefined) throw new Failure('outcomeUnknown');
    return report;
  },
});

/** Throws FieldsRefused. */
function checkReport({ services }: OperationContext, { comment, statusIds, ruleIds, collectionIds }: Input): void {
  const { commentCharactersMax, statusesMax, collectionsMax } = reportLimits;
  const { rules } = settingsOf(services);
  refuseFields({
    comment: exceedsCharacters(comment, commentCharactersMax) ? [tooLong(commentCharactersMax)] : [],
    statusIds: statusIds.length > statusesMax ? [tooLong(statusesMax, 'statuses')] : [],
    collectionIds: collectionIds.length > collectionsMax ? [tooLong(collectionsMax, 'collections')] : [],
    ruleIds: ruleIds.every((ruleId) => rules.some(({ id }) => id === ruleId)) ? [] : [noSuchRules],
  });
}

function demandStatusOf({ caller, services }: OperationContext<AccountCaller>, statusId: Id, targetId: Id): void {
  const { status } = visibleStatus(services, statusId, caller.accountId);
  if (status.accountId !== targetId) throw new Failure('notFound');
}

function demandCollectionOf(
  { caller, services }: OperationContext<AccountCaller>,
  collectionId: Id,
  targetId: Id,
): void {
  const { collection } = shownCollection(services, collectionId, caller.accountId);
  if (collection.accountId !== targetId) throw new Failure('notFound');
}
