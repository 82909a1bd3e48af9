/** /admin: what needs attention first, and some figures. Each part is for those who may do something about it. */
import { listAppeals } from '../../../operations/administration/appeals.ts';
import { type FreeSpace, freeSpace } from '../../../operations/administration/free-space.ts';
import { listAccounts } from '../../../operations/administration/list-accounts.ts';
import { listDeliveries } from '../../../operations/administration/list-deliveries.ts';
import { serverState } from '../../../operations/administration/server-state.ts';
import { listServers } from '../../../operations/administration/servers.ts';
import { listDomainLists } from '../../../operations/domain-lists/subscriptions.ts';
import { listOpenReports } from '../../../operations/reports/open-reports.ts';
import { software } from '../../../services/software.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { fullTime } from '../parts/time.ts';
import { latestFigures } from './measures-page.ts';
import { reportRow, reportsPath } from './reports/reports-page.ts';
import { mayDo, sections } from './sections.ts';
import { serverPath, serversPath } from './servers/servers-page.ts';
import { staffAnswer } from './staff-frame.ts';
import { staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

/** Of each kind of thing that needs attention. */
const shownMax = 5;
/** Below this share of it the disk needs attention. */
const lowShare = 0.1;

export const overviewPage = staffPage('any', async (visit) => {
  const { overview } = visit.words.staff;
  const [waiting, hosts, disk, latest] = await Promise.all([
    waitingAccounts(visit),
    failingHosts(visit),
    diskSpace(visit),
    latestFigures(visit),
  ]);
  const attention = [
    openReports(visit),
    waitingAppeals(visit),
    waiting,
    suggestedRules(visit),
    hosts,
    disk?.isLow === true ? disk.line : undefined,
    deadLetters(visit),
  ];
  const isCalm = attention.every((one) => one === undefined);
  const main = html`<section aria-label="${overview.attention}">${attention}
${isCalm && html`<div class="empty"><p>${overview.calm}</p></div>`}</section>
${latest}
${figures(visit, disk?.isLow === false ? disk.line : undefined)}`;
  return staffAnswer(visit, { section: undefined, title: overview.attention, main });
});

function openReports(visit: StaffVisit): Html | undefined {
  if (!mayDo(visit, listOpenReports.permission)) return undefined;
  const { reports, rest } = listOpenReports(visit, { limit: shownMax });
  if (reports.length === 0) return undefined;
  const count = visit.words.staff.overview.openReports({ count: reports.length + rest });
  return html`<section class="card plain"><h2><a href="${reportsPath}">${count}</a></h2>
<ul class="rows">${reports.map(({ report }) => html`<li><div>${reportRow(visit, report)}</div></li>`)}</ul></section>`;
}

function waitingAppeals(visit: StaffVisit): Html | undefined {
  if (!mayDo(visit, listAppeals.permission)) return undefined;
  const { overview } = visit.words.staff;
  const { items, full } = listAppeals(visit, { limit: shownMax });
  if (items.length === 0) return undefined;
  const count = full ? overview.manyAppeals({ number: shownMax }) : overview.appeals({ count: items.length });
  return html`<section class="card plain"><h2><a href="/admin/appeals">${count}</a></h2></section>`;
}

async function waitingAccounts(visit: StaffVisit): Promise<Html | undefined> {
  if (!mayDo(visit, listAccounts.permission)) return undefined;
  const words = visit.words.accounts;
  const { items, full } = await listAccounts(visit, { origin: 'local', standing: 'pending', limit: shownMax });
  if (items.length === 0) return undefined;
  const count = full ? words.manyWaiting({ number: shownMax }) : words.waiting({ count: items.length });
  return html`<section class="card plain"><h2><a href="/admin/accounts?standing=pending">${count}</a></h2></section>`;
}

function suggestedRules(visit: StaffVisit): Html | undefined {
  if (!mayDo(visit, listDomainLists.permission)) return undefined;
  const count = listDomainLists(visit, {}).reduce((sum, { suggested }) => sum + suggested, 0);
  if (count === 0) return undefined;
  const { attention } = visit.words.blocklists;
  return html`<section class="card plain"><h2><a href="/admin/domains/subscriptions">${attention({ count })}</a></h2></section>`;
}

interface FailingHost {
  readonly name: string;
  readonly pending: number;
  readonly since: number | undefined;
}

/** For whoever may decide about servers, and for whoever operates the machine. */
async function failingHosts(visit: StaffVisit): Promise<Html | undefined> {
  const { overview } = visit.words.staff;
  const isForServers = mayDo(visit, listServers.permission);
  const failing = isForServers ? await failingServers(visit) : await failingLanes(visit);
  if (failing.length === 0) return undefined;
  const rows = failing.slice(0, shownMax).map(({ name, pending, since }) => {
    const host = html`<bdi>${name}</bdi>`;
    return html`<li><p>${isForServers ? html`<a href="${serverPath(name)}">${host}</a>` : host} <span class="fine">${overview.waits({ count: pending })}${since !== undefined && html` · ${overview.since({ time: fullTime(visit, since) })}`}</span></p></li>`;
  });
  const count =
    failing.length > shownMax
      ? overview.manyFailingHosts({ number: shownMax })
      : overview.failingHosts({ count: failing.length });
  const title = isForServers ? html`<a href="${serversPath}?availability=failing">${count}</a>` : count;
  return html`<section class="card plain"><h2>${title}</h2><ul class="rows">${rows}</ul></section>`;
}

async function failingServers(visit: StaffVisit): Promise<FailingHost[]> {
  const { items } = await listServers(visit, { offset: 0, limit: shownMax + 1, availability: 'failing' });
  return items.map(({ domain: name, delivery: { lane, failingSince: since } }) => ({
    ...{ name, since, pending: lane?.pending ?? 0 },
  }));
}

async function failingLanes(visit: StaffVisit): Promise<FailingHost[]> {
  if (!mayDo(visit, listDeliveries.permission)) return [];
  const { hosts } = await listDeliveries(visit, { limit: shownMax + 1 });
  return hosts
    .filter(({ failures }) => failures > 0)
    .map(({ host: name, pending, failingSince: since }) => ({ name, pending, since }));
}

async function diskSpace(visit: StaffVisit) {
  if (!mayDo(visit, freeSpace.permission)) return undefined;
  const found = await freeSpace(visit, {});
  return found && diskLine(visit, found);
}

/** Where little is left it needs attention, else it is one of the figures. */
export function diskLine(visit: StaffVisit, { freeBytes, totalBytes }: FreeSpace) {
  const { overview } = visit.words.staff;
  const { formats } = visit.words;
  const values = { free: formats.bytes(freeBytes), total: formats.bytes(totalBytes) };
  const isLow = freeBytes < totalBytes * lowShare;
  if (!isLow) return { isLow, line: html`${overview.diskFree(values)}` };
  const said = overview.diskLow(values);
  const { address, permission } = sections.storage;
  const title = mayDo(visit, permission) ? html`<a href="${address}">${said}</a>` : said;
  return { isLow, line: html`<section class="card plain"><h2>${title}</h2></section>` };
}

function deadLetters(visit: StaffVisit): Html | undefined {
  if (!mayDo(visit, serverState.permission)) return undefined;
  const { overview } = visit.words.staff;
  const count = serverState(visit, {}).deadLetters;
  if (count === 0) return undefined;
  return html`<section class="card plain"><h2>${overview.deadLetters({ count })}</h2><p>${overview.deadLettersHint}</p></section>`;
}

function figures(visit: StaffVisit, disk: Html | undefined): Html | undefined {
  if (!mayDo(visit, serverState.permission)) return undefined;
  const { overview } = visit.words.staff;
  const { formats } = visit.words;
  const { usage, registrations } = serverState(visit, {});
  const figure = (label: string, value: string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<section class="card plain"><h2>${overview.figures}</h2>
<dl class="figures">${figure(overview.users, formats.number(usage.users))}${figure(overview.activeMonth, formats.number(usage.activeMonth))}${figure(overview.statuses, formats.number(usage.statuses))}${figure(overview.hosts, formats.number(usage.hosts))}${figure(overview.registrations, overview.modes[registrations])}</dl>
<p class="fine">${disk}${disk !== undefined && html` · `}Murmuration ${software.version}</p></section>`;
}
