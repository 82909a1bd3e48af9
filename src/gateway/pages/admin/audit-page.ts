/** /admin/audit: what staff, the command line and the server itself have decided, by who, what, whom and when. */
import {
  type AuditAction,
  auditActionNames,
  auditActions,
  type auditActors,
  auditTargets,
} from '../../../actors/audit.records.ts';
import { type ListedAuditEntry, listAudit } from '../../../operations/administration/list-audit.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { firstIdAt, type Id, parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { alert, type Fields, formField, queryFields } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { fullTime } from '../parts/time.ts';
import { olderThanOf } from '../visit.ts';
import { changesOf } from './decided-meanwhile.ts';
import { selectField, textField } from './lists/text-field.ts';
import { accountLink, listOf, olderLink } from './parts.ts';
import { reportsPath } from './reports/reports-page.ts';
import { mayDo, sections } from './sections.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

interface Search {
  readonly who: string;
  readonly by: '' | 'commandLine' | 'server';
  readonly action: AuditAction | '';
  readonly target: (typeof auditTargets)[number] | '';
  readonly about: string;
  /** A day, as the browser writes it. */
  readonly until: string;
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const day = 24 * 60 * 60 * 1_000;

function searchIn(fields: Fields): Search {
  const until = fields.get('until') ?? '';
  return {
    who: fields.get('who') ?? '',
    by: (['commandLine', 'server'] as const).find((one) => one === fields.get('by')) ?? '',
    action: auditActionNames.find((one) => one === fields.get('action')) ?? '',
    target: auditTargets.find((one) => one === fields.get('target')) ?? '',
    about: fields.get('about') ?? '',
    until: dayPattern.test(until) && !Number.isNaN(Date.parse(until)) ? until : '',
  };
}

export const auditPage = staffPage('viewAuditLog', (visit, { request }) => {
  const words = visit.words.audit;
  const search = searchIn(queryFields(request.query));
  const { page, problem } = found(visit, search, olderThanOf(request));
  const kept = Object.entries(search).flatMap(([name, value]) =>
    value === '' ? [] : `${name}=${encodeURIComponent(value)}&`,
  );
  const main = html`${searchForm(visit, search, problem)}
${listOf(
  visit,
  words.title,
  page.items.map((item) => row(visit, item)),
  page.full ? words.noneYet : words.none,
)}
${olderLink(visit, page, kept.join(''))}`;
  return staffAnswer(visit, {
    ...{ section: 'audit', title: words.title, main, done: doneOf(visit, request) },
    isRefused: problem !== undefined,
  });
});

function found(visit: StaffVisit, { who, by, action, target, about, until }: Search, maxId: Id | undefined) {
  const end = until === '' ? undefined : firstIdAt(Date.parse(until) + day);
  const given = {
    ...(by !== '' && { by }),
    ...(who !== '' && { actor: who }),
    ...(action !== '' && { action }),
    ...(target !== '' && { target }),
    // Whose name is a number is named with an @.
    ...(about !== '' && { about: parseId(about) ?? about }),
  };
  try {
    const page = listAudit(visit, { ...given, limit: webLimits.pagePeople, maxId: maxId ?? end });
    return { page, problem: undefined };
  } catch (error) {
    if (asFailure(error).code !== 'notFound') throw error;
    const page = { items: [], full: false, newest: undefined, oldest: undefined };
    return { page, problem: visit.words.audit.unknownName };
  }
}

function searchForm(visit: StaffVisit, search: Search, problem: string | undefined): Html {
  const words = visit.words.audit;
  const actions: Readonly<Record<AuditAction, string>> = words.actions;
  const targets: Readonly<Record<(typeof auditTargets)[number], string>> = words.targets;
  const { commandLine, server } = words.actors;
  const isOpen = problem !== undefined || Object.values(search).some((value) => value !== '');
  return html`<details class="card plain settings searching"${isOpen && html` open`}><summary>${words.search}</summary>
<form action="/admin/audit" role="search" aria-label="${words.search}">
${alert(problem)}
<div class="pairs">${textField({ name: 'who', label: words.who, hint: words.whoHint, value: search.who, isCode: true })}
${selectField('by', words.orBy, { commandLine, server }, search.by, words.anybody)}
${selectField('action', words.action, actions, search.action, words.anything)}
${selectField('target', words.target, targets, search.target, words.anything)}
${textField({ name: 'about', label: words.about, hint: words.aboutHint, value: search.about, isCode: true })}
${formField({ name: 'until', label: words.until, control: (described) => html`<input type="date" name="until" value="${search.until}"${described}>` })}</div>
<button type="submit">${words.button}</button>
</form></details>`;
}

function row(visit: StaffVisit, { entry, actor }: ListedAuditEntry): Html {
  const words = visit.words.audit;
  const actions: Readonly<Record<AuditAction, string>> = words.actions;
  const { by, name, address, reportId, at } = entry;
  const isCode = auditActions[entry.action] === 'document';
  const who =
    by === 'account' ? accountLink(visit, actor) : html`${words.actors[by satisfies (typeof auditActors)[number]]}`;
  return html`<p class="line row"><span class="what"><span class="unlinked">${actions[entry.action]}</span>${name !== '' && html` <bdi class="named"${isCode && html` lang="en"`}>${name}</bdi>`}</span><span class="when fine">${fullTime(visit, at)}</span></p>
<p>${words.byWhom({ name: who })}${address !== undefined && html` · <span class="fine">${words.from({ address: html`<bdi>${address}</bdi>` })}</span>`}${
    reportId !== undefined &&
    mayDo(visit, sections.reports.permission) &&
    html` · <a href="${reportsPath}/${reportId}">${words.report}</a>`
  }</p>
${changesOf(entry)}`;
}
