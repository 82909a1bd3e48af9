/** /admin/accounts: accounts of this server and of others, by what staff look for; and those that wait for approval. */

import { findLogin } from '../../../../actors/account/profile/logins.queries.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../../../actors/account/remote/federation.queries.ts';
import {
  type AccountOrigin,
  type AccountStanding,
  accountOrigins,
  accountStandings,
} from '../../../../actors/policy/account-lists.ts';
import { builtInRoles } from '../../../../actors/policy/roles.ts';
import { allRoles } from '../../../../actors/roles.queries.ts';
import { listAccounts } from '../../../../operations/administration/list-accounts.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { type Fields, queryFields } from '../../../oauth/forms.ts';
import { webLimits } from '../../limits.ts';
import { avatar, name } from '../../parts/account.ts';
import { handleOf } from '../../parts/links.ts';
import { nameOfRole, roleMark } from '../../parts/role-mark.ts';
import { tabs } from '../../parts/tabs.ts';
import { timeAgo } from '../../parts/time.ts';
import { olderThanOf } from '../../visit.ts';
import { selectField, textField } from '../lists/text-field.ts';
import { accountLink, listOf, olderLink, standingOf } from '../parts.ts';
import { sections } from '../sections.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { admissionButtons } from './admission-buttons.ts';

export const accountsPath = sections.accounts.address;

interface Search {
  readonly origin: AccountOrigin | '';
  readonly standing: AccountStanding | '';
  readonly role: string;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly ip: string;
  readonly domain: string;
  readonly invitedBy: string;
}

function searchIn(fields: Fields): Search {
  return {
    origin: accountOrigins.find((one) => one === fields.get('origin')) ?? '',
    standing: accountStandings.find((one) => one === fields.get('standing')) ?? '',
    role: fields.get('role') ?? '',
    username: fields.get('username') ?? '',
    displayName: fields.get('displayName') ?? '',
    email: fields.get('email') ?? '',
    ip: fields.get('ip') ?? '',
    domain: fields.get('domain') ?? '',
    invitedBy: fields.get('invitedBy') ?? '',
  };
}

function given<Value extends string>(value: Value | ''): Value | undefined {
  return value === '' ? undefined : value;
}

export const accountsPage = staffPage(sections.accounts.permission, async (visit, { request }) => {
  const words = visit.words.accounts;
  const search = searchIn(queryFields(request.query));
  const { role } = search;
  const page = await listAccounts(visit, {
    origin: given(search.origin),
    standing: given(search.standing),
    roles: role === '' ? undefined : [role],
    username: given(search.username),
    displayName: given(search.displayName),
    email: given(search.email),
    ip: given(search.ip),
    domain: given(search.domain),
    invitedBy: given(search.invitedBy),
    maxId: olderThanOf(request),
    limit: webLimits.pagePeople,
  });
  const kept = Object.entries(search).flatMap(([field, value]) =>
    value === '' ? [] : `${field}=${encodeURIComponent(value)}&`,
  );
  const isPending = search.standing === 'pending';
  const main = html`${tabsOf(visit, search)}
${!isPending && searchForm(visit, search)}
${listOf(
  visit,
  words.title,
  page.items.map((account) => row(visit, account)),
  isPending ? words.nobodyWaits : words.none,
)}
${olderLink(visit, page, kept.join(''))}`;
  return staffAnswer(visit, { section: 'accounts', title: words.title, main, done: doneOf(visit, request) });
});

function tabsOf({ words: { accounts } }: StaffVisit, { origin, standing }: Search): Html {
  const tab = (label: string, query: string, isCurrent: boolean) => ({
    ...{ words: label, path: `${accountsPath}${query}`, isCurrent },
  });
  const isPending = standing === 'pending';
  return tabs(accounts.title, [
    tab(accounts.all, '', origin === '' && !isPending),
    tab(accounts.local, '?origin=local', origin === 'local' && !isPending),
    tab(accounts.remote, '?origin=remote', origin === 'remote' && !isPending),
    tab(accounts.pending, '?standing=pending', isPending),
  ]);
}

function searchForm(visit: StaffVisit, search: Search): Html {
  const words = visit.words.accounts;
  const roles = allRoles(visit.services.snapshots).map((role) => [role.id, nameOfRole(visit.words, role)]);
  const isOpen = Object.entries(search).some(([field, value]) => field !== 'origin' && value !== '');
  return html`<details class="card plain settings searching"${isOpen && html` open`}><summary>${words.search}</summary>
<form action="${accountsPath}" role="search" aria-label="${words.search}">
<div class="pairs">${textField({ name: 'username', label: words.username, value: search.username, isCode: true })}
${textField({ name: 'displayName', label: words.displayName, value: search.displayName })}
${textField({ name: 'email', label: words.email, value: search.email, isCode: true })}
${textField({ name: 'domain', label: words.domain, value: search.domain, isCode: true })}
${textField({ name: 'ip', label: words.ip, hint: words.ipHint, value: search.ip, isCode: true })}
${textField({ name: 'invitedBy', label: words.invitedBy, hint: words.invitedByHint, value: search.invitedBy, isCode: true })}
${selectField('origin', words.origin, words.origins, search.origin, words.anywhere)}
${selectField('standing', words.standing, words.standings, search.standing, words.any)}
${selectField('role', words.role, Object.fromEntries(roles) as Record<string, string>, search.role, words.any)}</div>
<button type="submit">${words.button}</button></form></details>`;
}

function row(visit: StaffVisit, account: AccountView): Html {
  const { profile, addedRole } = account;
  const words = visit.words.accounts;
  const login = profile.remote === undefined ? findLogin(visit.services.snapshots, profile.id) : undefined;
  const role = addedRole ?? builtInRoles[profile.role];
  const isPending = login?.approved === false;
  const inviterId = login?.invitation?.creatorId;
  return html`<div class="line row"><a class="byline" href="${accountsPath}/${profile.id}">${avatar(visit, profile, 46)}
<span>${name(visit, profile)} <span class="handle">@${handleOf(profile)}</span></span></a><span class="when fine">${timeAgo(visit, profile.createdAt)}</span></div>
<p>${standingOf(visit, profile)}${login !== undefined && role.builtIn !== 'user' && html` <span class="badge" dir="auto">${roleMark(visit.words, role)}</span>`}${login !== undefined && html` <bdi class="fine" lang="en">${login.email}</bdi>`}</p>
${isPending && inviterId !== undefined && html`<p class="fine">${visit.words.invites.by({ account: accountLink(visit, findProfile(visit.services.snapshots, inviterId)) })}</p>`}
${isPending && html`<p class="plain-text" dir="auto">${login.reason ?? words.noReason}</p>${admissionButtons(visit, account)}`}`;
}
