/** `/`: the home timeline of signed-in visitors; for others a description of the server and its latest posts. */

import { html } from '../../services/words/html.ts';
import { type Answer, redirect } from '../http/answers.ts';
import { serverPicture } from '../server-picture.ts';
import { homePage } from './home-page.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { joinButtons } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { previewTags } from './parts/meta.ts';
import { timeline } from './parts/timeline.ts';
import { publicListing, readableIn } from './statuses.ts';
import { memberOf, type Visit } from './visit.ts';

export const frontPage = pageHandler((visit, context) => {
  // Nobody has anything else to look for there.
  if (visit.services.options.relay === 'only') return redirect('/relay/status', 303);
  const member = memberOf(visit);
  return member === undefined ? welcome(visit) : homePage(member, context);
});

function welcome(visit: Visit): Answer {
  const { settings, services, words } = visit;
  const { site } = words;
  const picture = serverPicture(settings, services.addresses, '').url;
  // The built-in one is decoration.
  const { thumbnailDescription = '' } = settings;
  const { title, description } = settings;
  const listing = publicListing(visit, { origin: 'local', onlyMedia: false }, { limit: webLimits.pageStatuses });
  const main = html`<section class="hero">
<img src="${picture}" alt="${thumbnailDescription}" width="1200" height="630">
<h1>${title}</h1>
<p dir="auto">${description === '' ? site.defaultDescription : description}</p>
${joinButtons(visit)}
</section>
${
  readableIn(visit, 'live', 'local') !== undefined &&
  html`<h2 class="list">${site.timeline.newHere}</h2>
${timeline(visit, { ...listing, older: undefined }, { label: site.timeline.newPosts, empty: html`<p>${site.timeline.noneYet}</p>` })}`
}
${listing.older !== undefined && html`<nav class="paging"><a href="/public/local?max_id=${listing.older}">${site.timeline.older}</a></nav>`}`;
  const head = previewTags(visit, {
    type: 'website',
    title,
    description: description === '' ? site.defaultDescription : description,
    image: picture,
    imageDescription: thumbnailDescription,
    address: `${services.addresses.origin}/`,
  });
  return siteAnswer(visit, { main, head, alone: true });
}
