/** Why there is a rule for a server: who made it, and what blocklists say. */
import type { DomainBlock } from '../../../../actors/instance/domains/domains.records.ts';
import { explainDomain } from '../../../../operations/domain-lists/explain-domain.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { fullDay } from '../../parts/time.ts';
import type { StaffVisit } from '../visitor.ts';
import { saysOf } from './listed-parts.ts';

export function originCard(visit: StaffVisit, { domain, isOfLists }: DomainBlock): Html {
  const words = visit.words.blocklists;
  const { lists } = explainDomain(visit, { domain });
  const rows = lists.map(({ list, entry }) => {
    const link = html`<a href="/admin/domains/subscriptions/${list.id}"><bdi>${list.title}</bdi></a>`;
    const says = entry.isGone === true ? html`${words.gone}` : saysOf(visit, entry.listed);
    const line = words.namedBy({ list: link, time: fullDay(visit, entry.since), says });
    return html`<li><p>${line} <span class="fine">${words.states[entry.state]}</span></p></li>`;
  });
  return html`<section class="card plain"><h2>${words.why}</h2><p>${isOfLists === true ? words.byLists : words.byStaff}</p>
${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}</section>`;
}
