/** `/`: the home timeline of signed-in visitors; for others a description of the server and its latest posts. */

import { bannerPath } from '../banner.ts';
import type { Answer } from '../http/answers.ts';
import { homePage } from './home-page.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { defaultDescription, joinButtons } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { previewTags } from './parts/meta.ts';
import { timeline } from './parts/timeline.ts';
import { publicListing } from './statuses.ts';
import { olderThanOf, type Visit } from './visit.ts';

export const frontPage = pageHandler((visit, { request }) =>
  visit.account === undefined ? welcome(visit) : homePage(visit, visit.account, olderThanOf(request)),
);

function welcome(visit: Visit): Answer {
  const { settings, services } = visit;
  const { title, description } = settings;
  const listing = publicListing(visit, 'local', { limit: webLimits.pageStatuses });
  const main = html`<section class="hero">
<img src="${bannerPath}" alt="" width="1200" height="630">
<h1>${title}</h1>
<p dir="auto">${description === '' ? defaultDescription : description}</p>
${joinButtons(visit)}
</section>
<h2 class="list">New on this server</h2>
${timeline(visit, { ...listing, older: undefined }, { label: 'New posts', empty: html`<p>There are no public posts yet.</p>` })}
${listing.older !== undefined && html`<nav class="paging"><a href="/public/local?max_id=${listing.older}">Older posts</a></nav>`}`;
  const head = previewTags(visit, {
    type: 'website',
    title,
    description,
    image: bannerPath,
    address: `${services.addresses.origin}/`,
  });
  return siteAnswer(visit, { main, head, alone: true });
}
