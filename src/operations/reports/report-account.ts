/**
 * Reports an account, with statuses and collections of it, to the staff of this server and, where it is remote,
 * anonymously to its own server and to those that the reporter chose (specification 4.10, 6.2: Flag).
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { destinationOf, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { staffNotifiedOf } from '../../actors/account/profile/staff.queries.ts';
import { reportLimits } from '../../actors/account/reports/limits.ts';
import type { NewReport } from '../../actors/account/reports/reports.messages.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import { type Report, reportCategories } from '../../actors/account/reports/reports.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Destination } from '../../actors/intents.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
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
  /**
   * If any is given, only these are informed: the server of the account, and those of accounts that the statuses answer
   * (behaviour of the Mastodon API).
   */
  forwardToDomains: z.array(z.string()).optional(),
});
type Input = z.output<typeof input>;

export const noSuchRules: FieldProblem = { kind: 'invalid', words: 'does not reference valid rules' };

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
    if (profile.id === caller.accountId)
      throw validationFailure('You cannot report yourself', { reason: 'reportsOneself' });
    const statusIds = [...new Set(given.statusIds)];
    const ruleIds = [...new Set(given.ruleIds)];
    const collectionIds = [...new Set(given.collectionIds)];
    checkReport(context, { ...given, statusIds, ruleIds, collectionIds });
    const statuses = statusIds.map((statusId) => demandStatusOf(context, statusId, profile.id));
    for (const collectionId of collectionIds) demandCollectionOf(context, collectionId, profile.id);
    const { reportId } = await services.client.call(
      Account.fileReport.to(caller.accountId, {
        targetId: profile.id,
        statusIds,
        ...(collectionIds.length > 0 && { collectionIds }),
        ruleIds,
        category: ruleIds.length > 0 ? 'violation' : (given.category ?? 'other'),
        comment: cleanText(given.comment),
        ...(given.forward === false ? {} : recipientsOf(services, profile, statuses, given.forwardToDomains)),
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

type Recipients = Pick<z.input<typeof NewReport>, 'forwardTo' | 'alsoForwardTo'>;

function recipientsOf(
  { snapshots }: Services,
  target: Profile,
  reported: readonly Status[],
  chosenDomains: readonly string[] | undefined,
): Recipients {
  const forwardTo = destinationOf(target);
  if (chosenDomains === undefined) return { forwardTo };
  const domains = new Set(chosenDomains.map((domain) => domain.toLowerCase()));
  const others = new Map<string, Destination>();
  for (const { inReplyToAccountId } of reported) {
    const answered = inReplyToAccountId === undefined ? undefined : findAccount(snapshots, inReplyToAccountId);
    const destination = answered && destinationOf(answered.profile);
    if (destination !== undefined && domains.has(destination.host)) others.set(destination.host, destination);
  }
  if (target.domain !== undefined) others.delete(target.domain);
  return {
    forwardTo: target.domain !== undefined && domains.has(target.domain) ? forwardTo : undefined,
    alsoForwardTo: [...others.values()],
  };
}

/** Throws Failure notFound for one of another account. */
function demandStatusOf({ caller, services }: OperationContext<AccountCaller>, statusId: Id, targetId: Id): Status {
  const { status } = visibleStatus(services, statusId, caller.accountId);
  if (status.accountId !== targetId) throw new Failure('notFound');
  return status;
}

function demandCollectionOf(
  { caller, services }: OperationContext<AccountCaller>,
  collectionId: Id,
  targetId: Id,
): void {
  const { collection } = shownCollection(services, collectionId, caller.accountId);
  if (collection.accountId !== targetId) throw new Failure('notFound');
}
