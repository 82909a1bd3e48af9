/** /followed_tags: the hashtags that the visitor follows. And POST /web/tags/:name/follow and unfollow. */
import { followedTagsOf } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { followTag, unfollowTag } from '../../operations/tags/follow-tag.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { type Html, html } from './parts/html.ts';
import { formRoute } from './signed-in-form.ts';
import { olderThanOf } from './visit.ts';

export const followedTagsPage = memberPage((visit, { request }) => {
  const { services, account } = visit;
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  const { items, full, oldest } = followedTagsOf(services.snapshots, account.id, bounds);
  const rows = items.map(
    (name) =>
      html`<li class="entry"><a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a>${tagButton(name, true)}</li>`,
  );
  const main = html`<h1 class="list">Followed hashtags</h1>
${rows.length > 0 && html`<ul class="timeline lists" aria-label="Followed hashtags">${rows}</ul>`}
${rows.length === 0 && !full && html`<div class="empty"><p>You follow no hashtag. Its page has a button for that; then public posts with it come to your home.</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">More</a></nav>`}`;
  return siteAnswer(visit, { title: 'Followed hashtags', main, current: 'settings', isIndexed: false });
});

export function tagButton(name: string, isFollowed: boolean): Html {
  const path = `/web/tags/${encodeURIComponent(name)}`;
  return isFollowed
    ? html`<button class="quiet" form="acts" formaction="${path}/unfollow">Unfollow</button>`
    : html`<button form="acts" formaction="${path}/follow">Follow</button>`;
}

function tagForm(verb: 'follow' | 'unfollow', change: typeof followTag): RawRoute<GatewayServices> {
  return formRoute(`/web/tags/:name/${verb}`, async (form, { pathParameters }) => {
    await change(form, { tag: pathParameters.name ?? '' });
    return redirect(form.returnTo, 303);
  });
}

export const followTagForms: readonly RawRoute<GatewayServices>[] = [
  tagForm('follow', followTag),
  tagForm('unfollow', unfollowTag),
];
