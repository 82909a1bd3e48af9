/** /admin/accounts/:id: one account, of this server or another, with everything that is known and may be decided. */

import { hasInvitedAnybody } from '../../../../actors/account/account-lists.queries.ts';
import { emailSubscriptionsOf } from '../../../../actors/account/email-subscriptions/email-subscriptions.queries.ts';
import { warningsOf } from '../../../../actors/account/moderation/warnings.queries.ts';
import { findLogin } from '../../../../actors/account/profile/logins.queries.ts';
import type { Login } from '../../../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import { reportsPage as readReports } from '../../../../actors/account/reports/reports.queries.ts';
import { addressesOf, formerEmailsOf } from '../../../../actors/account/sign-ins/sign-ins.queries.ts';
import { twoFactorOf } from '../../../../actors/account/two-factor/two-factor.queries.ts';
import { builtInRoles } from '../../../../actors/policy/roles.ts';
import { inspectAccount } from '../../../../operations/administration/inspect-account.ts';
import { listSignIns } from '../../../../operations/administration/list-sign-ins.ts';
import { listReports } from '../../../../operations/reports/handle-reports.ts';
import { type Html, type HtmlPart, html } from '../../../../services/words/html.ts';
import type { Answer } from '../../../http/answers.ts';
import { alert } from '../../../oauth/forms.ts';
import { webLimits } from '../../limits.ts';
import { byline } from '../../parts/account.ts';
import { handleOf } from '../../parts/links.ts';
import { roleMark } from '../../parts/role-mark.ts';
import { signInRow } from '../../parts/sign-in-row.ts';
import { fullDay, fullTime, timeAgo } from '../../parts/time.ts';
import { idInPath } from '../../visit.ts';
import { notesCard } from '../notes-card.ts';
import { accountLink, deciderOf, standingOf } from '../parts.ts';
import { reportRow, reportsPath } from '../reports/reports-page.ts';
import { mayDo, sections } from '../sections.ts';
import { serverPath } from '../servers/servers-page.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { accessCard, accountDecisionForm, type Draft, undoCard } from './account-forms.ts';
import { admissionButtons } from './admission-buttons.ts';

const { address, permission } = sections.accounts;

export interface AccountState {
  readonly done?: string | undefined;
  /** What was refused, and why, as a sentence. */
  readonly draft?: Draft;
  readonly refusal?: string;
}

/** Strikes, reports and sign-ins, of each. */
const shownMax = 10;

export const accountPage = staffPage(permission, (visit, context) => {
  const account = inspectAccount(visit, { accountId: idInPath(context) });
  return accountAnswer(visit, account, { done: doneOf(visit, context.request) });
});

export function accountAnswer(visit: StaffVisit, account: AccountView, state: AccountState): Answer {
  const { profile } = account;
  const login = profile.remote === undefined ? findLogin(visit.services.snapshots, profile.id) : undefined;
  const returnTo = `${address}/${profile.id}`;
  const main = html`${alert(state.refusal)}
<section class="card plain">${byline(visit, profile)}
<p>${standingOf(visit, profile)}</p>
${login?.approved === false && html`<h2>${visit.words.accounts.reason}</h2><p class="plain-text" dir="auto">${login.reason ?? visit.words.accounts.noReason}</p>${admissionButtons(visit, account)}`}</section>
${factsCard(visit, account, login)}
${login?.approved !== false && accountDecisionForm(visit, account, state.draft)}
${undoCard(visit, account, login)}
${accessCard(visit, account, login)}
${strikesCard(visit, account)}
${reportsCard(visit, account)}
${notesCard(visit, { kind: 'account', about: profile.id, returnTo })}
${login !== undefined && signInsCard(visit, account)}`;
  return staffAnswer(visit, {
    ...{ section: 'accounts', title: `@${handleOf(profile)}`, main, done: state.done },
    back: { path: address, words: visit.words.accounts.title },
    isRefused: state.refusal !== undefined,
  });
}

function factsCard(visit: StaffVisit, { profile, counters, addedRole }: AccountView, login: Login | undefined): Html {
  const words = visit.words.accounts;
  const { snapshots } = visit.services;
  const { formats } = visit.words;
  const row = (label: string, value: HtmlPart | undefined) =>
    value !== undefined && html`<li><p><strong>${label}</strong> <span>${value}</span></p></li>`;
  const code = (text: string) => html`<bdi lang="en">${text}</bdi>`;
  const addresses = addressesOf(snapshots, profile.id).map((one) => code(one.address));
  const former = formerEmailsOf(snapshots, profile.id).map((one) => code(one.email));
  const inviterId = login?.invitation?.creatorId;
  const hasInvited = hasInvitedAnybody(snapshots, profile.id);
  const role = addedRole ?? builtInRoles[profile.role];
  const { total, confirmed } = emailSubscriptionsOf(snapshots, profile.id);
  const mayCount = mayDo(visit, 'manageEmailSubscriptions') && (total > 0 || profile.emailSubscriptions === true);
  const subscribed = mayCount ? confirmed : undefined;
  return html`<section class="card plain"><h2>${words.facts}</h2><ul class="rows">
${row(words.number, code(profile.id.toString()))}
${row(words.joined, fullDay(visit, login?.createdAt ?? profile.createdAt))}
${row(words.invitedBy, inviterId === undefined ? undefined : accountLink(visit, findProfile(snapshots, inviterId)))}
${row(words.invited, hasInvited ? html`<a href="${address}?invitedBy=${profile.id}">${words.showInvited}</a>` : undefined)}
${row(words.server, profile.domain === undefined ? undefined : serverLink(visit, profile.domain))}
${login !== undefined && row(words.role, roleMark(visit.words, role))}
${login !== undefined && row(words.emailAddress, html`${code(login.email)}${!login.confirmed && html` <span class="badge">${words.unconfirmed}</span>`}`)}
${row(words.formerEmails, former.length === 0 ? undefined : formats.list(former))}
${row(words.addresses, addresses.length === 0 ? undefined : formats.list(addresses))}
${login !== undefined && row(words.twoFactor, twoFactorOf(snapshots, profile.id) === undefined ? words.off : words.on)}
${row(words.subscribers, subscribed === undefined ? undefined : formats.number(subscribed))}
${row(words.posts, counters.statuses === 0 ? formats.number(0) : html`<a href="${address}/${profile.id}/posts">${formats.number(counters.statuses)}</a>`)}
${row(words.followers, formats.number(counters.followers))}
${row(words.following, formats.number(counters.following))}
${row(words.keptUntil, profile.dataKeptUntil === undefined ? undefined : fullDay(visit, profile.dataKeptUntil))}
${row(words.removed, profile.dataRemovedAt === undefined ? undefined : fullTime(visit, profile.dataRemovedAt))}
</ul>
<p><a href="/@${handleOf(profile)}">${words.profile}</a>${mayDo(visit, sections.audit.permission) && html` · <a href="/admin/audit?target=account&amp;about=${profile.id}">${words.audit}</a>`}</p></section>`;
}

/** To its page, for who may see that. */
function serverLink(visit: StaffVisit, domain: string): Html {
  const name = html`<bdi lang="en">${domain}</bdi>`;
  return mayDo(visit, sections.domains.permission) ? html`<a href="${serverPath(domain)}">${name}</a>` : name;
}

function strikesCard(visit: StaffVisit, { profile }: AccountView): Html {
  const words = visit.words.staff.reports;
  const strikes = warningsOf(visit.services.snapshots, profile.id, { limit: shownMax }).items;
  if (strikes.length === 0)
    return html`<section class="card plain"><h2>${words.strikes}</h2><p class="fine">${words.noStrikes}</p></section>`;
  const rows = strikes.map(
    ({ action, text, createdAt, byId, reportId }) =>
      html`<li><p><strong>${words.actions[action]}</strong> ${words.strikeBy({ name: deciderOf(visit, byId) })} <span class="fine">${timeAgo(visit, createdAt)}</span>${reportId !== undefined && html` · <a href="${reportsPath}/${reportId}">${words.number({ number: String(reportId) })}</a>`}
${text !== '' && html`<span class="plain-text said" dir="auto">${text}</span>`}</p></li>`,
  );
  return html`<section class="card plain"><h2>${words.strikes}</h2><ul class="rows">${rows}</ul></section>`;
}

/** Open ones first. */
function reportsCard(visit: StaffVisit, { profile }: AccountView): Html | undefined {
  if (!mayDo(visit, listReports.permission)) return undefined;
  const words = visit.words.accounts;
  const reports = [false, true]
    .flatMap(
      (isResolved) =>
        readReports(visit.services.snapshots, { isResolved, targetId: profile.id }, { limit: shownMax }).items,
    )
    .slice(0, shownMax);
  return html`<section class="card plain"><h2>${words.reportsAbout}</h2>
${reports.length === 0 ? html`<p class="fine">${words.noReports}</p>` : html`<ul class="rows">${reports.map((report) => html`<li><div>${reportRow(visit, report)}</div></li>`)}</ul><p><a href="${reportsPath}?about=${profile.id}">${visit.words.staff.reports.all}</a></p>`}</section>`;
}

function signInsCard(visit: StaffVisit, { profile }: AccountView): Html {
  const words = visit.words.accounts;
  const { items } = listSignIns(visit, { account: profile.id, limit: webLimits.pageSignIns });
  return html`<section class="card plain settings"><h2>${words.signIns}</h2>
${items.length === 0 ? html`<p class="fine">${words.noSignIns}</p>` : html`<ul class="rows">${items.slice(0, shownMax).map((one) => signInRow(visit, one))}</ul>`}</section>`;
}
