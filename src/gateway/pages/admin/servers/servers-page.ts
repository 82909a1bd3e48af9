/** /admin/servers: the servers whose accounts are known here, and how deliveries to them go. */
import {
  type KnownServer,
  listServers,
  serverAvailabilities,
  serverPolicies,
} from '../../../../operations/administration/servers.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { type Fields, queryFields } from '../../../oauth/forms.ts';
import { webLimits } from '../../limits.ts';
import { sectionTabs } from '../domains/section-tabs.ts';
import { selectField, textField } from '../lists/text-field.ts';
import { listOf } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { deliveryLine, stateBadge } from './delivery-lines.ts';

export const serversPath = '/admin/servers';
const pagesMax = 10_000;

interface Search {
  readonly domain: string;
  readonly policy: (typeof serverPolicies)[number] | '';
  readonly availability: (typeof serverAvailabilities)[number] | '';
}

export const serversPage = staffPage(listServers.permission, async (visit, { request }) => {
  const words = visit.words.servers.known;
  const fields = queryFields(request.query);
  const search = searchIn(fields);
  const page = pageIn(fields);
  const limit = webLimits.pagePeople;
  const { items, hasMore } = await listServers(visit, {
    ...{ limit, offset: page * limit, domain: search.domain },
    ...(search.policy !== '' && { policy: search.policy }),
    ...(search.availability !== '' && { availability: search.availability }),
  });
  const kept = Object.entries(search).flatMap(([name, value]) =>
    value === '' ? [] : `${name}=${encodeURIComponent(value)}&`,
  );
  const main = html`${sectionTabs(visit, 'known')}
${searchForm(visit, search)}
${listOf(
  visit,
  words.title,
  items.map((server) => serverRow(visit, server)),
  words.none,
)}
${hasMore && html`<nav class="paging"><a rel="next" href="?${kept.join('')}page=${page + 1}">${words.further}</a></nav>`}`;
  return staffAnswer(visit, { section: 'domains', title: words.title, main, done: doneOf(visit, request) });
});

function searchIn(fields: Fields): Search {
  return {
    domain: (fields.get('domain') ?? '').trim().toLowerCase().slice(0, 255),
    policy: serverPolicies.find((one) => one === fields.get('policy')) ?? '',
    availability: serverAvailabilities.find((one) => one === fields.get('availability')) ?? '',
  };
}

function pageIn(fields: Fields): number {
  const page = Number(fields.get('page') ?? 0);
  return Number.isInteger(page) && page > 0 && page <= pagesMax ? page : 0;
}

function searchForm({ words: { servers } }: StaffVisit, { domain, policy, availability }: Search): Html {
  const words = servers.known;
  return html`<form class="card plain settings searching" action="${serversPath}" role="search" aria-label="${words.title}">
<div class="pairs">${textField({ name: 'domain', label: words.part, value: domain, isCode: true })}
${selectField('policy', words.policy, words.policies, policy, words.anyPolicy)}
${selectField('availability', words.availability, words.availabilities, availability, words.anyAvailability)}</div>
<button type="submit">${words.search}</button>
</form>`;
}

function serverRow(visit: StaffVisit, server: KnownServer): Html {
  const { servers } = visit.words;
  const { domain, rule, isAllowed } = server;
  return html`<p class="line row"><a class="what" href="${serverPath(domain)}"><bdi>${domain}</bdi></a>
${stateBadge(visit, server)}${rule !== undefined && html` <span class="badge">${servers.severities[rule.severity]}</span>`}${isAllowed && html` <span class="badge">${servers.known.policies.allowed}</span>`}</p>
${countsLine(visit, server)}
${deliveryLine(visit, server)}`;
}

export function serverPath(domain: string): string {
  return `${serversPath}/${encodeURIComponent(domain)}`;
}

export function countsLine({ words }: StaffVisit, { figures }: KnownServer): Html {
  const { servers, formats } = words;
  const { accounts, followers, following, statuses, mediaBytes } = figures;
  const counts = servers.known.counts({
    accounts: formats.number(accounts),
    followers: formats.number(followers),
    following: formats.number(following),
    statuses: formats.number(statuses),
  });
  return html`<p class="fine">${counts}${mediaBytes > 0 && html` · ${servers.known.media({ size: formats.bytes(mediaBytes) })}`}</p>`;
}
