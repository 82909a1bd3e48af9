/** Reports about other accounts (specification 6.2: Flag), stored by the reporting account. */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { countOnDay } from '../../daily-counts.state.ts';
import { serverActorId } from '../../intents.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { dayOf } from '../../session/session.messages.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { keepStatuses } from '../kept.events.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { reportMessages } from './reports.messages.ts';
import type { Report } from './reports.records.ts';
import * as state from './reports.state.ts';

const { reports, reportsByAccount, reportOfActivity, openReports, resolvedReports, listedReports } = state;

function fileReport(turn: AccountTurn, message: BodyOf<typeof reportMessages.fileReport>): { reportId: Id } {
  ownProfile(turn);
  const { activityUri, forwardTo, alsoForwardTo = [], staffIds = [], ...said } = message;
  const accountId = turn.self.key;
  const activity = activityUri === undefined ? undefined : `${activityUri} ${said.targetId}`;
  const known = activity === undefined ? undefined : turn.get(reportOfActivity, [accountId, activity]);
  if (known !== undefined) return { reportId: known.id };
  const destinations = forwardTo === undefined ? alsoForwardTo : [forwardTo, ...alsoForwardTo];
  const reportId = turn.nextId();
  const report: Report = {
    ...said,
    id: reportId,
    accountId,
    forwarded: destinations.length > 0,
    createdAt: turn.now,
  };
  turn.put(reports, [reportId], report);
  relist(turn, undefined, report);
  turn.put(reportsByAccount, [accountId, reportId], true);
  turn.put(openReports, [reportId], { accountId, targetId: said.targetId });
  keepStatuses(turn, said.statusIds);
  if (activity !== undefined) turn.put(reportOfActivity, [accountId, activity], { id: reportId });
  // Sent by the server's own actor, so that the reporter stays anonymous.
  if (destinations.length > 0)
    deliver(
      turn,
      { kind: 'flag', actorId: serverActorId, activityId: reportId, targetId: said.targetId, reportId },
      { toFollowers: false, destinations },
    );
  for (const staffId of staffIds)
    turn.tell(Account.notify.to(staffId, { type: 'admin.report', fromId: accountId, reportId }));
  tellWebhooks(turn, 'report.created', reportId);
  return { reportId };
}

/** Throws Failure notFound for any but a report of this account. */
function resolveReport(
  turn: AccountTurn,
  { reportId, resolvedById, strikeId, audit }: BodyOf<typeof reportMessages.resolveReport>,
): undefined {
  const accountId = turn.self.key;
  const report = ownReport(turn, reportId);
  if (report.resolvedAt !== undefined) return;
  const closed = { ...report, resolvedAt: turn.now, resolvedById, strikeId, updatedAt: turn.now };
  turn.put(reports, [reportId], closed);
  relist(turn, report, closed);
  countOnDay(turn, 'resolvedReports', dayOf(turn.now));
  turn.delete(openReports, [reportId]);
  turn.put(resolvedReports, [reportId], { accountId, targetId: report.targetId });
  tellWebhooks(turn, 'report.updated', reportId);
  recordAudit(turn, audit, {
    targetId: reportId,
    name: `#${reportId}`,
    before: { isOpen: true },
    after: { isOpen: false },
  });
}

/** Throws Failure notFound for any but a report of this account. */
function changeReport(
  turn: AccountTurn,
  { reportId, change, audit }: BodyOf<typeof reportMessages.changeReport>,
): undefined {
  const before = ownReport(turn, reportId);
  const { category = before.category, ruleIds = before.ruleIds, isOpenAgain = false } = change;
  const assignedToId = change.assignedToId === undefined ? before.assignedToId : (change.assignedToId ?? undefined);
  const isReopened = isOpenAgain && before.resolvedAt !== undefined;
  const changed = { ...before, category, ruleIds, assignedToId, updatedAt: turn.now };
  const after: Report = isReopened
    ? { ...changed, resolvedAt: undefined, resolvedById: undefined, strikeId: undefined }
    : changed;
  turn.put(reports, [reportId], after);
  if (isReopened) {
    relist(turn, before, after);
    countOnDay(turn, 'resolvedReports', dayOf(before.resolvedAt ?? turn.now), -1);
    turn.delete(resolvedReports, [reportId]);
    turn.put(openReports, [reportId], { accountId: turn.self.key, targetId: before.targetId });
  }
  tellWebhooks(turn, 'report.updated', reportId);
  recordAudit(turn, audit, {
    targetId: reportId,
    name: `#${reportId}`,
    before: factsOf(before),
    after: factsOf(after),
  });
}

function relist(turn: AccountTurn, before: Report | undefined, after: Report): void {
  for (const listing of before === undefined ? [] : state.listingsOf(before)) turn.delete(listedReports, listing);
  for (const listing of state.listingsOf(after)) turn.put(listedReports, listing, true);
}

function ownReport(turn: AccountTurn, reportId: Id): Report {
  const isOwn = turn.get(reportsByAccount, [turn.self.key, reportId]) !== undefined;
  const report = isOwn ? turn.get(reports, [reportId]) : undefined;
  if (report === undefined) throw new Failure('notFound');
  return report;
}

function factsOf({ category, ruleIds, assignedToId, resolvedAt }: Report) {
  const isOpen = resolvedAt === undefined;
  return { category, rules: ruleIds.join(', '), assignedTo: assignedToId?.toString(), isOpen };
}

export const reportsFeature = feature<AccountTurn>()({
  messages: reportMessages,
  handlers: { fileReport, resolveReport, changeReport },
  state: [state],
  rules: state.reportRules,
});
