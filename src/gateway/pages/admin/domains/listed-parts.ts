/** What a blocklist says of a server, in words; what it would change; and how its subscription does. */
import type { DomainListSubscription } from '../../../../actors/instance/domain-lists/domain-lists.records.ts';
import type { ListedContent } from '../../../../actors/policy/listed-domains.ts';
import { type TriedList, type TriedRow, triedOutcomes } from '../../../../services/domain-lists.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { fullTime } from '../../parts/time.ts';
import type { StaffVisit } from '../visitor.ts';

/** Of a list that was tried. */
const rowsShownMax = 200;

export function saysOf({ words: { servers } }: StaffVisit, content: ListedContent): Html {
  const effects = (['rejectMedia', 'rejectReports', 'obfuscate'] as const).filter((one) => content[one]);
  const { publicComment } = content;
  return html`<span class="badge">${servers.severities[content.severity]}</span>${effects.map((one) => html` · ${servers.effects[one]}`)}${publicComment !== undefined && html` · <bdi>${publicComment}</bdi>`}`;
}

export function statusLines(visit: StaffVisit, list: DomainListSubscription): Html {
  const { blocklists: words, formats } = visit.words;
  const { problem, readAt, changes, changedAt } = list;
  const counts = { domains: formats.number(list.rows), inForce: formats.number(list.inForce) };
  const times = [
    readAt === undefined ? words.notRead : words.readAt({ time: fullTime(visit, readAt) }),
    list.reading === undefined ? words.next({ time: fullTime(visit, list.dueAt) }) : words.reading,
  ];
  return html`<p class="fine">${words.counts(counts)}${list.unreadable > 0 && html` · ${words.unreadable({ count: list.unreadable })}`}${list.suggested > 0 && html` · ${words.suggested({ count: list.suggested })}`}</p>
<p class="fine">${times[0]} · ${times[1]}</p>
${problem !== undefined && html`<p class="wrong">${words.failing({ time: fullTime(visit, problem.at), reason: words.problems[problem.kind] })}</p>`}
${changes !== undefined && changedAt !== undefined && html`<p class="fine">${words.changes({ time: fullTime(visit, changedAt), added: formats.number(changes.added), changed: formats.number(changes.changed), removed: formats.number(changes.removed) })}</p>`}`;
}

export function triedCard(visit: StaffVisit, tried: TriedList): Html {
  const { blocklists: words, servers, formats } = visit.words;
  if (tried.problem !== undefined) {
    const reason = words.problems[tried.problem];
    return html`<section class="card plain" role="status"><h2>${words.tried}</h2><p>${words.wouldFail({ reason })}</p></section>`;
  }
  const [begins, changes, ends, suggested] = triedOutcomes.map((one) => formats.number(tried.counts[one]));
  const counts = { begins: begins!, changes: changes!, ends: ends!, suggested: suggested! };
  const row = ({ domain, listed, outcome, state, follows }: TriedRow) =>
    html`<tr><th scope="row"><bdi>${domain}</bdi></th><td>${outcome === 'nothing' && state !== undefined ? words.states[state] : words.outcomes[outcome]}</td><td>${listed === undefined ? words.gone : saysOf(visit, listed)}</td><td>${formats.number(follows)}</td></tr>`;
  return html`<section class="card plain" role="status"><h2>${words.tried}</h2><p>${words.triedCounts(counts)}</p>
${tried.rows.length > 0 && html`<div class="scrolls" tabindex="0" role="region" aria-label="${words.tried}"><table><thead><tr><th scope="col">${servers.domain}</th><th scope="col">${words.outcome}</th><th scope="col">${words.says}</th><th scope="col">${words.ends}</th></tr></thead><tbody>${tried.rows.slice(0, rowsShownMax).map(row)}</tbody></table></div>`}</section>`;
}
