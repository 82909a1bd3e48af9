/** Appeals against strikes, as staff decide about them: once, whoever is first. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { type AppealedStrike, appealsPage, findAppeal } from '../../actors/account/moderation/appeals.queries.ts';
import type { Appeal } from '../../actors/account/notifications/notifications.records.ts';
import { findProfile, findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import type { Destination } from '../../actors/intents.ts';
import type { Page } from '../../actors/pages.ts';
import { appealStateNames } from '../../actors/policy/appeals.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { destinationsOfStatus } from '../statuses/own-status.ts';
import { pageInput } from './domain-blocks.ts';
import { subordinate } from './local-account.ts';

/** Those that wait, by default. Latest first. */
export const listAppeals = operation({
  input: pageInput.extend({ state: z.enum(appealStateNames).optional() }),
  permission: 'manageAppeals',
  audit: reads,
  run: ({ services }, { state = 'pending', ...bounds }): Page<AppealedStrike> =>
    appealsPage(services.snapshots, state, bounds),
});

/** Commands send it as they read it. */
const one = z.object({ appealId: z.coerce.bigint() });

export const showAppeal = operation({
  input: one,
  permission: 'manageAppeals',
  audit: reads,
  /** Throws Failure notFound. */
  run: ({ services }, { appealId }): AppealedStrike => appealOf(services, appealId),
});

function deciding(audit: AuditAction, isApproved: boolean) {
  return operation({
    input: one,
    permission: 'manageAppeals',
    audit,
    on: ofSubordinate,
    /**
     * Throws Failure notFound, forbidden for an account with the same role or a higher one, and validation where somebody has
     * decided already: the text says who, and what.
     */
    async run({ caller, services, audit: audited }, { appealId }, appealed): Promise<AppealedStrike> {
      const { accountId, strike } = appealed;
      if (appealed.appeal.decidedAt !== undefined) throw decidedAlready(services, appealed.appeal);
      if (isApproved) demandUndoable(services, appealed);
      const marked = isApproved && strike.action === 'mark_statuses_as_sensitive' ? (strike.statusIds ?? []) : [];
      const statuses: { statusId: Id; destinations: Destination[] }[] = [];
      for (const statusId of marked) {
        const status = findStatusRecord(services.snapshots, statusId);
        if (status === undefined) continue;
        statuses.push({ statusId, destinations: await services.slices.run(destinationsOfStatus(services, status)) });
      }
      const { reportId } = strike;
      const led = reportId === undefined ? audited : { ...audited, reportId };
      const message = Account.decideAppeal.to(accountId, { strikeId: strike.id, isApproved, statuses, audit: led });
      try {
        await services.client.call(message, flowOf(caller));
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'conflict' || error.reason !== undefined) throw error;
        throw decidedAlready(services, appealOf(services, appealId).appeal);
      }
      return appealOf(services, appealId);
    },
  });
}

export const approveAppeal = deciding('approveAppeal', true);
export const rejectAppeal = deciding('rejectAppeal', false);

function ofSubordinate(context: OperationContext, { appealId }: z.output<typeof one>): AppealedStrike {
  const appealed = appealOf(context.services, appealId);
  subordinate(context, { account: appealed.accountId });
  return appealed;
}

function appealOf({ snapshots }: Pick<Services, 'snapshots'>, appealId: Id): AppealedStrike {
  const found = findAppeal(snapshots, appealId);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

function demandUndoable({ snapshots }: Services, { accountId, strike }: AppealedStrike): void {
  const profile = findProfile(snapshots, accountId);
  if (strike.action !== 'suspend' || profile?.dataRemovedAt === undefined) return;
  throw validationFailure(`What the account ${profile.username} had left here was removed.`);
}

function decidedAlready({ snapshots }: Services, { isApproved, decidedAt, decidedById }: Appeal): Failure {
  const by = decidedById === undefined ? undefined : findProfile(snapshots, decidedById)?.username;
  const who = by === undefined ? '' : ` by ${by}`;
  const when = decidedAt === undefined ? '' : `, at ${new Date(decidedAt).toISOString()}`;
  return validationFailure(`The appeal was ${isApproved === true ? 'approved' : 'rejected'} already${who}${when}.`);
}
