/** /relay/status: what the relay is, how to subscribe, and how it does. The same in JSON at /relay/status.json. */
import { type RelayStatus, relayStatus } from '../../operations/relay/relay-status.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { json } from '../http/answers.ts';
import { rawRoute } from '../route.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import type { Visit } from './visit.ts';

/** Lists of relays read it, also from browsers. */
const headers = { 'Cache-Control': 'public, max-age=10', 'Access-Control-Allow-Origin': '*' };

export const relayStatusRoute = rawRoute<GatewayServices>({
  method: 'GET',
  path: '/relay/status.json',
  handler: async ({ services }) => json(await relayStatus(services), { headers }),
});

const modes = { open: 'open', approval: 'approval', 'allow-list': 'allowList' } as const;

export const relayPage = pageHandler(async (visit) => {
  const status = await relayStatus(visit.services);
  const { relay } = visit.words.site;
  const title = relay.title({ server: visit.settings.title });
  const main = html`<section class="card plain about">
<h1>${title}</h1>
<p class="lead">${relay.purpose}</p>
<p>${relay.subscribe}</p>
<p><code>${status.inbox}</code></p>
<p>${relay[modes[status.subscriptions]]}</p>
${numbers(visit, status)}
${status.servers !== undefined && serverList(visit, status.servers)}
</section>`;
  return siteAnswer(visit, { title, main });
});

function numbers({ words }: Visit, { subscribers, posts }: RelayStatus): Html {
  const { relay } = words.site;
  const count = (value: number, label: string) =>
    html`<div><dt>${label}</dt><dd>${words.formats.number(value)}</dd></div>`;
  return html`<dl class="counts">${count(subscribers.active, relay.subscribers({ count: subscribers.active }))}${count(subscribers.receiving, relay.receiving)}${count(posts.passedOn, relay.posts({ count: posts.passedOn }))}</dl>`;
}

function serverList({ words }: Visit, servers: NonNullable<RelayStatus['servers']>): Html {
  const { relay } = words.site;
  return html`<h2>${relay.servers}</h2>
<ul>${servers.map(({ host, isReceiving }) => html`<li>${host} (${isReceiving ? relay.receives : relay.fails})</li>`)}</ul>`;
}
