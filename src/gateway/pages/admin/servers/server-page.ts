/** /admin/servers/:id: another server by its domain. And its forms: POST /web/admin/servers/:id/stop and others. */
import { listAudit } from '../../../../operations/administration/list-audit.ts';
import {
  clearDeliveryFailures,
  purgeServer,
  restartDelivery,
  stopDelivery,
} from '../../../../operations/administration/server-decisions.ts';
import { type KnownServer, showServer } from '../../../../operations/administration/servers.ts';
import { latestPeriod } from '../../../../operations/measures/period.ts';
import { showDimensions } from '../../../../operations/measures/show-dimensions.ts';
import { showMeasures } from '../../../../operations/measures/show-measures.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import type { RawContext } from '../../../http/context.ts';
import type { RawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import { sparkLine } from '../../parts/spark-line.ts';
import { fullTime } from '../../parts/time.ts';
import { originCard } from '../domains/origin-card.ts';
import { sectionTabs } from '../domains/section-tabs.ts';
import { shareCard } from '../measures-page.ts';
import { notesCard } from '../notes-card.ts';
import { actButton, askingButton, deciderOf } from '../parts.ts';
import { mayDo, sections } from '../sections.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { deliveryLine } from './delivery-lines.ts';
import { countsLine, serverPath, serversPage, serversPath } from './servers-page.ts';

const days = 30;
const measures = [
  'instanceAccounts',
  'instanceStatuses',
  'instanceFollows',
  'instanceFollowers',
  'instanceReports',
] as const;
const dimensions = ['instanceAccounts', 'instanceLanguages'] as const;
const sharesShown = 8;
const decisionsShown = 5;

const serverPage = staffPage(showServer.permission, async (visit, context) => {
  const server = await showServer(visit, { domain: domainIn(context) });
  const { domain, rule } = server;
  const main = html`${sectionTabs(visit, 'known')}
<section class="card plain">${countsLine(visit, server)}
${mayDo(visit, sections.accounts.permission) && html`<p><a href="/admin/accounts?origin=remote&amp;domain=${encodeURIComponent(domain)}">${visit.words.servers.known.accounts}</a></p>`}</section>
${await figuresOf(visit, domain)}
${deliveriesCard(visit, server)}
${ruleCard(visit, server)}
${rule !== undefined && originCard(visit, rule)}
${notesCard(visit, { kind: 'server', about: domain, returnTo: serverPath(domain) })}
${decisionsCard(visit, domain)}
${purgeCard(visit, server)}`;
  const done = doneOf(visit, context.request);
  return staffAnswer(visit, { section: 'domains', title: domain, main, done });
});

function domainIn({ pathParameters }: Pick<RawContext<GatewayServices>, 'pathParameters'>): string {
  return pathParameters.id ?? '';
}

/** For who may see the dashboard. */
async function figuresOf(visit: StaffVisit, domain: string): Promise<Html | undefined> {
  if (!mayDo(visit, showMeasures.permission)) return undefined;
  const { servers, formats } = visit.words;
  const period = latestPeriod(visit.services.now(), days);
  const [measured, found] = await Promise.all([
    showMeasures(visit, { ...period, wanted: measures.map((key) => ({ key, domain })) }),
    showDimensions(visit, { ...period, wanted: dimensions.map((key) => ({ key, domain })), limit: sharesShown }),
  ]);
  const names: Readonly<Record<string, string>> = { ...servers.known.measures };
  const tiles = measured.map(
    ({ key, total, byDay }) =>
      html`<div class="card figure"><h2>${names[key]}</h2><p class="value">${formats.number(total)}</p>${sparkLine(byDay)}</div>`,
  );
  const titles: Readonly<Record<string, string>> = { ...servers.known.shares };
  return html`<div class="tiles">${tiles}</div>
${found.map(({ key, shares }) => shareCard(visit, titles[key] ?? key, shares))}`;
}

function formPath(domain: string, decision: string): string {
  return `/web/admin/servers/${encodeURIComponent(domain)}/${decision}`;
}

function deliveriesCard(visit: StaffVisit, server: KnownServer): Html {
  const words = visit.words.servers.known;
  const { domain, delivery } = server;
  const { stopped, state } = delivery;
  const isFailing = state === 'failing' || state === 'unavailable';
  const note =
    stopped &&
    html`<p>${words.stoppedBy({ time: fullTime(visit, stopped.at), name: deciderOf(visit, stopped.byId) })}</p>`;
  // A stop of a domain above this one is ended there.
  const isOwn = stopped?.domain === domain;
  return html`<section class="card plain settings"><h2>${words.deliveries}</h2><p>${words.states[state]}</p>${note}
${deliveryLine(visit, server)}
<p class="line row">${isOwn && actButton(formPath(domain, 'restart'), words.restartStopped)}${isFailing && actButton(formPath(domain, 'restart'), words.restart)}${actButton(formPath(domain, 'clear'), words.clear)}${stopped === undefined && actButton(formPath(domain, 'stop'), words.stop, 'danger')}</p></section>`;
}

function ruleCard(visit: StaffVisit, { domain, rule, isAllowed }: KnownServer): Html {
  const { servers } = visit.words;
  const words = servers.known;
  const line =
    rule === undefined
      ? html`<p>${words.noRule}</p><p><a href="/admin/domains?domain=${encodeURIComponent(domain)}#new">${words.makeRule}</a></p>`
      : html`<p><a href="/admin/domains/${rule.id}">${words.ruleOf({ domain: rule.domain })}</a> <span class="badge">${servers.severities[rule.severity]}</span></p>`;
  return html`<section class="card plain"><h2>${words.rule}</h2>${line}${isAllowed && html`<p>${words.allowed}</p>`}</section>`;
}

/** For who may read the audit log. */
function decisionsCard(visit: StaffVisit, domain: string): Html | undefined {
  if (!mayDo(visit, listAudit.permission)) return undefined;
  const { items } = listAudit(visit, { target: 'server', targetId: domain, limit: decisionsShown });
  if (items.length === 0) return undefined;
  const { audit, servers } = visit.words;
  const actions: Readonly<Record<string, string>> = { ...audit.actions };
  const rows = items.map(({ entry, actor }) => {
    const by = entry.by === 'account' ? deciderOf(visit, actor?.id) : html`${audit.actors[entry.by]}`;
    return html`<li><p>${actions[entry.action]} · ${audit.byWhom({ name: by })}</p><span class="fine">${fullTime(visit, entry.at)}</span></li>`;
  });
  return html`<section class="card plain"><h2>${servers.known.decisions}</h2><ul class="rows">${rows}</ul></section>`;
}

function purgeCard(visit: StaffVisit, { domain, purge }: KnownServer): Html {
  const words = visit.words.servers.known;
  const told = purge && (purge.endedAt === undefined ? words.purging : words.purged);
  return html`<section class="card plain settings"><h2>${words.purge}</h2>
${purge !== undefined && html`<p>${told?.({ time: fullTime(visit, purge.startedAt), count: purge.accounts })}</p>`}
${askingButton(formPath(domain, 'purge'), words.purgeMore, words.purgeHint({ domain: html`<bdi>${domain}</bdi>` }), words.purge)}</section>`;
}

const decisions = {
  stop: { decide: stopDelivery, done: 'deliveryStopped' },
  restart: { decide: restartDelivery, done: 'deliveryRestarted' },
  clear: { decide: clearDeliveryFailures, done: 'failuresCleared' },
  purge: { decide: purgeServer, done: 'purgeBegun' },
} as const;

const decisionForms = Object.entries(decisions).map(([name, { decide, done }]) =>
  staffForm(`/web/admin/servers/:id/${name}`, decide.permission, async ({ visit }, context) => {
    const domain = domainIn(context);
    await decide(visit, { domain });
    return redirect(`${serverPath(domain)}?done=${done}`, 303);
  }),
);

export const serverRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(serversPath, serversPage),
  pageRoute(`${serversPath}/:id`, serverPage),
  ...decisionForms,
];
