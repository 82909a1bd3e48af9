/** Mails that tell staff what they have to look at. */
import { findWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import { findLogin } from '../../../actors/account/profile/logins.queries.ts';
import { findReport } from '../../../actors/account/reports/reports.queries.ts';
import { handleOf, type Tellers } from './telling.ts';

export const staffContents: Tellers<'report' | 'signUp' | 'appeal'> = {
  report: (told, { reportId, reporterId }) => {
    const report = findReport(told.snapshots, reportId);
    const reported = report && handleOf(told, report.targetId);
    if (report === undefined || report.resolvedAt !== undefined || reported === undefined) return undefined;
    const { words } = told;
    const { subject, told: happened, lines } = words.mails.report;
    const category = words.notifications.reportCategory[report.category];
    const reporter = handleOf(told, reporterId) ?? told.addresses.domain;
    return {
      subject,
      paragraphs: [
        happened({ reporter, reported, category }),
        ...(report.statusIds.length === 0 ? [] : [lines({ count: report.statusIds.length })]),
      ],
      quoted: report.comment === '' ? undefined : report.comment,
      action: { label: words.mails.notifications, address: `${told.addresses.origin}/notifications` },
    };
  },
  signUp: (told, { accountId }) => {
    const login = findLogin(told.snapshots, accountId);
    const account = handleOf(told, accountId);
    if (login === undefined || login.approved || account === undefined) return undefined;
    const { subject, told: happened } = told.words.mails.signUp;
    return {
      subject,
      paragraphs: [happened({ account, server: told.addresses.domain })],
      quoted: login.reason,
      action: { label: told.words.mails.notifications, address: `${told.addresses.origin}/notifications` },
    };
  },
  appeal: (told, { accountId, strikeId }) => {
    const strike = findWarning(told.snapshots, accountId, strikeId);
    const account = handleOf(told, accountId);
    if (strike?.appeal === undefined || strike.appeal.decidedAt !== undefined || account === undefined)
      return undefined;
    const { subject, told: happened, against } = told.words.mails.appeal;
    const time = told.words.formats.exactTime(strike.createdAt);
    return {
      subject,
      paragraphs: [happened({ account, decision: against[strike.action], time })],
      quoted: strike.appeal.text,
    };
  },
};
