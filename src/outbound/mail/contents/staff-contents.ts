/** Mails that tell staff what they have to look at, and what staff announce. */
import { findWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import { findLogin, loginStateOf } from '../../../actors/account/profile/logins.queries.ts';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../../actors/account/reports/reports.queries.ts';
import { findAnnouncement } from '../../../actors/instance/announcements/announcements.queries.ts';
import { listTerms } from '../../../actors/instance/instance.queries.ts';
import { toPlainLine } from '../../../actors/text/plain.ts';
import { shorten } from '../../../actors/text/shorten.ts';
import { handleOf, type Tellers } from './telling.ts';

const titleCharactersMax = 100;
const dayMilliseconds = 24 * 60 * 60 * 1_000;

export const staffContents: Tellers<'report' | 'signUp' | 'appeal' | 'trends' | 'announcement' | 'terms'> = {
  announcement: ({ words, snapshots, account, addresses }, { announcementId }) => {
    const announcement = findAnnouncement(snapshots, announcementId);
    if (announcement === undefined || loginStateOf(account) !== 'active') return undefined;
    const { subject, told, action } = words.mails.announcement;
    const { domain: server, origin } = addresses;
    return {
      subject: subject({ server }),
      paragraphs: [told({ server })],
      quoted: announcement.text,
      action: { label: action({ server }), address: `${origin}/` },
    };
  },
  terms: ({ words, snapshots, account, addresses, handle, mail }, { day }) => {
    const isThere = listTerms(snapshots).some((terms) => terms.day === day);
    if (!isThere || loginStateOf(account) !== 'active') return undefined;
    const { subject, told, holds, agree, action } = words.mails.terms;
    const { domain: server, origin } = addresses;
    const at = day * dayMilliseconds;
    const said = { server, day: words.formats.day(at) };
    return {
      subject: subject({ server }),
      paragraphs: [at > mail.at ? told(said) : holds(said), agree({ account: handle })],
      action: { label: action, address: `${origin}/terms-of-service?date=${new Date(at).toISOString().slice(0, 10)}` },
    };
  },
  trends: ({ words, snapshots, addresses }, { tags, links, statusIds }) => {
    const { subject, told, title, action } = words.mails.trends;
    const posts = statusIds.flatMap((id) => {
      const status = findStatusRecord(snapshots, id);
      if (status === undefined) return [];
      const text = shorten(toPlainLine(status.spoilerText || status.content), titleCharactersMax);
      return [{ text: text === '' ? words.formats.exactTime(status.createdAt) : text }];
    });
    const pages = links.map(({ url, title: name }) => ({
      text: shorten(name || url, titleCharactersMax),
      address: url,
    }));
    return {
      subject,
      paragraphs: [told({ server: addresses.domain })],
      listed: { title, items: [...tags.map((tag) => ({ text: `#${tag}` })), ...pages, ...posts] },
      action: { label: action, address: `${addresses.origin}/admin/trends` },
    };
  },
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
