/** /public/local: what people of this server posted for everybody. */
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { timeline } from './parts/timeline.ts';
import { publicListing } from './statuses.ts';
import { olderThanOf } from './visit.ts';

export const localPage = pageHandler((visit, { request }) => {
  const listing = publicListing(visit, olderThanOf(request));
  const main = html`<h1 class="list">Local posts</h1>
${timeline(visit, listing, { label: 'Local posts', empty: html`<p>Nobody has posted anything for everybody yet.</p>` })}`;
  return siteAnswer(visit, { title: 'Local posts', main, current: 'local', isIndexed: false });
});
