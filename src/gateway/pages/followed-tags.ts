/** /followed_tags: the hashtags that the visitor follows. And POST /web/tags/:name/follow and unfollow, feature and unfeature. */
import { featuredTagsOf } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import { followedTagsOf } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { addFeaturedTag, removeFeaturedTag } from '../../operations/tags/feature-tag.ts';
import { followTag, unfollowTag } from '../../operations/tags/follow-tag.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import type { RawRoute } from '../route.ts';
import { webLimits } from './limits.ts';
import { memberPage } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { formRoute, type SignedInForm } from './signed-in-form.ts';
import { olderThanOf, type Visit } from './visit.ts';

export const followedTagsPage = memberPage((visit, { request }) => {
  const { services, account } = visit;
  const words = visit.words.posts.tag;
  const bounds = { maxId: olderThanOf(request), limit: webLimits.pagePeople };
  const { items, full, oldest } = followedTagsOf(services.snapshots, account.id, bounds);
  const rows = items.map(
    (name) =>
      html`<li class="entry"><a href="/tags/${encodeURIComponent(name)}"><bdi>#${name}</bdi></a>${tagButton(visit, name, true)}</li>`,
  );
  const main = html`<h1 class="list">${words.followed}</h1>
${rows.length > 0 && html`<ul class="timeline lists" aria-label="${words.followed}">${rows}</ul>`}
${rows.length === 0 && !full && html`<div class="empty"><p>${words.noneFollowed}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${visit.words.people.lists.more}</a></nav>`}`;
  return siteAnswer(visit, { title: words.followed, main, current: 'settings', isIndexed: false });
});

export function tagButton({ words: { posts } }: Pick<Visit, 'words'>, name: string, isFollowed: boolean): Html {
  const path = `/web/tags/${encodeURIComponent(name)}`;
  return isFollowed
    ? html`<button class="quiet" form="acts" formaction="${path}/unfollow">${posts.tag.unfollow}</button>`
    : html`<button form="acts" formaction="${path}/follow">${posts.tag.follow}</button>`;
}

type ChangeTag = (form: SignedInForm, given: { readonly tag: string }) => Promise<unknown>;

function tagForm(verb: string, change: ChangeTag): RawRoute<GatewayServices> {
  return formRoute(`/web/tags/:name/${verb}`, async (form, { pathParameters }) => {
    await change(form, { tag: pathParameters.name ?? '' });
    return redirect(form.returnTo, 303);
  });
}

export const followTagForms: readonly RawRoute<GatewayServices>[] = [
  tagForm('follow', followTag),
  tagForm('unfollow', unfollowTag),
  tagForm('feature', (form, { tag }) => addFeaturedTag(form, { name: tag })),
  tagForm('unfeature', unfeatureTag),
];

/** Nothing where it is not featured. */
async function unfeatureTag(form: SignedInForm, { tag }: { readonly tag: string }): Promise<void> {
  const name = normaliseTagName(tag);
  const present = featuredTagsOf(form.services.snapshots, form.account.id).find((one) => one.name === name);
  if (present !== undefined) await removeFeaturedTag(form, { featuredId: present.id });
}
