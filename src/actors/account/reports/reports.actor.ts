/** Reports about other accounts (specification 6.2: Flag), stored by the reporting account. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { serverActorId } from '../../intents.ts';
import { Account } from '../account.messages.ts';
import { type AccountTurn, ownProfile } from '../account.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { reportMessages } from './reports.messages.ts';
import type { Report } from './reports.records.ts';
import * as state from './reports.state.ts';

const { reports, reportsByAccount, reportOfActivity, openReports, resolvedReports } = state;

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
  turn.put(reportsByAccount, [accountId, reportId], true);
  turn.put(openReports, [reportId], { accountId, targetId: said.targetId });
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
  return { reportId };
}

/** Throws notFound for any but a report of this account. */
function resolveReport(
  turn: AccountTurn,
  { reportId, resolvedById, audit }: BodyOf<typeof reportMessages.resolveReport>,
): undefined {
  const accountId = turn.self.key;
  if (turn.get(reportsByAccount, [accountId, reportId]) === undefined) throw new Failure('notFound');
  const report = turn.get(reports, [reportId]);
  if (report === undefined || report.resolvedAt !== undefined) return;
  turn.put(reports, [reportId], { ...report, resolvedAt: turn.now, resolvedById });
  turn.delete(openReports, [reportId]);
  turn.put(resolvedReports, [reportId], { accountId, targetId: report.targetId });
  recordAudit(turn, audit, {
    targetId: reportId,
    name: `#${reportId}`,
    before: { isOpen: true },
    after: { isOpen: false },
  });
}

export const reportsFeature = feature<AccountTurn>()({
  messages: reportMessages,
  handlers: { fileReport, resolveReport },
  state: [state],
  rules: state.reportRules,
});
