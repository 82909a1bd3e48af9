/**
 * /@NAME and /@NAME@HOST: a profile with its posts. /@NAME/tagged/TAG: those with a tag. With `.rss` at the end: the
 * same posts of a local account, for feed readers.
 */
import { collectionsOf } from '../../actors/account/collections/collections.queries.ts';
import { emailSubscriptionLimits } from '../../actors/account/email-subscriptions/limits.ts';
import { endorsementsOf } from '../../actors/account/endorsements/endorsements.queries.ts';
import { featuredTagsOf } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import {
  type AccountView,
  findAccount,
  findPublicAccount,
  isRemovedHere,
} from '../../actors/account/profile/profiles.queries.ts';
import { isKeptFrom, shownAccounts } from '../../actors/account/relationships/relationships.queries.ts';
import { builtInRoles } from '../../actors/policy/roles.ts';
import { normaliseTagName } from '../../actors/text/hashtags.ts';
import { toPlainLine } from '../../actors/text/plain.ts';
import { accountIdOfHandle } from '../../operations/accounts/handles.ts';
import { isOffered } from '../../operations/email-subscriptions/subscribe-by-email.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { pictureOrDefault } from '../../services/media/shown-pictures.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type Fields, hidden, queryFields } from '../oauth/forms.ts';
import { feedAnswer, feedIn, feedLink } from './feeds/rss.ts';
import { webLimits } from './limits.ts';
import { type LiveListName, liveAddress } from './live/live-lists.ts';
import { pageHandler } from './page-handler.ts';
import { avatar, byline, name, plainName } from './parts/account.ts';
import { acquaintance } from './parts/acquaintance.ts';
import { countsOf, findFormOf, keptLinks } from './parts/aside.ts';
import { collectionList } from './parts/collections.ts';
import { bell } from './parts/follow-choices.ts';
import { siteAnswer } from './parts/frame.ts';
import { icon } from './parts/icons.ts';
import { accountPath, elsewhere, handleOf } from './parts/links.ts';
import { menu } from './parts/menu.ts';
import { alternateHeaders, previewTags } from './parts/meta.ts';
import { relationButtons, relationItems, relationTo } from './parts/relations.ts';
import { roleMark } from './parts/role-mark.ts';
import { linkTo } from './parts/slots.ts';
import { article } from './parts/status.ts';
import { storedHtml, storedText } from './parts/stored.ts';
import { tabs } from './parts/tabs.ts';
import { timeline } from './parts/timeline.ts';
import { type AccountPart, accountListing, pinnedStatuses } from './statuses.ts';
import { anonymousVisit, memberOf, olderThanOf, type Visit } from './visit.ts';

/** `name` in the path is a user name, or a handle with its host. */
export const profilePage = pageHandler((visit, context) => {
  const name = feedIn(context.pathParameters.name);
  return name === undefined ? showProfile(visit, context) : accountFeed(visit, context, { name });
});

export const taggedPage = pageHandler((visit, context) => {
  const { name = '', tag: given = '' } = context.pathParameters;
  const ofFeed = feedIn(given);
  const tag = normaliseTagName(ofFeed ?? given);
  if (tag === undefined) throw new Failure('notFound');
  return ofFeed === undefined ? showProfile(visit, context, tag) : accountFeed(visit, context, { name, tag });
});

/** The account of a page. Throws Failure notFound or gone. */
export function accountOfPage({ snapshots, addresses }: GatewayServices, handle: string): AccountView {
  const accountId = accountIdOfHandle(snapshots, handle, addresses);
  const account = accountId === undefined ? undefined : findPublicAccount(snapshots, accountId);
  if (account === undefined)
    throw new Failure(accountId !== undefined && isRemovedHere(snapshots, accountId) ? 'gone' : 'notFound');
  if (account.profile.suspendedAt !== undefined) throw new Failure('gone');
  return account;
}

function showProfile(visit: Visit, { request, pathParameters }: RawContext<GatewayServices>, tagged?: string): Answer {
  const account = accountOfPage(visit.services, pathParameters.name ?? '');
  const { profile } = account;
  const hasMedia = profile.showMedia !== false;
  const chosen = tabOf(queryFields(request.query), tagged);
  const tab = chosen === 'media' && !hasMedia ? 'posts' : chosen;
  const path = `/@${handleOf(profile)}`;
  const maxId = olderThanOf(request);
  const listing = accountListing(visit, profile.id, partOf(profile, tab, tagged), {
    maxId,
    limit: webLimits.pageStatuses,
  });
  const list = visit.account === undefined || maxId !== undefined ? undefined : liveLists[tab];
  const words = visit.words.people.profile;
  const isDeleted = profile.id === visit.account?.id && queryFields(request.query).get('done') === 'deleted';
  const main = html`${isDeleted && html`<p class="card done" role="status">${visit.words.posts.deleted}</p>`}
${headOf(visit, account)}
${tabs(words.posts, [
  { words: words.posts, path, isCurrent: tab === 'posts' },
  { words: words.postsAndReplies, path: `${path}?replies=1`, isCurrent: tab === 'replies' },
  ...(hasMedia ? [{ words: words.media, path: `${path}?media=1`, isCurrent: tab === 'media' }] : []),
  ...(tagged === undefined
    ? []
    : [{ words: `#${tagged}`, path: `${path}/tagged/${encodeURIComponent(tagged)}`, isCurrent: true }]),
])}
${searchIn(visit, profile)}
${maxId === undefined && tab === 'posts' && pinned(visit, profile.id)}
${timeline(visit, listing, {
  label: words.postsBy({ name: plainName(profile) }),
  kept: tab === 'replies' || tab === 'media' ? `${tab}=1&` : '',
  live: list && liveAddress(list, listing.newest, profile.id),
  empty: html`<p>${words.noPosts}</p>`,
})}`;
  const { addresses } = visit.services;
  const activityId = profile.remote?.uri ?? addresses.actor(profile.username);
  return siteAnswer(visit, {
    title: `${plainName(profile)} (@${fullHandle(visit, profile)})`,
    main,
    head: html`${previewTags(visit, {
      type: 'profile',
      title: `${plainName(profile)} (@${fullHandle(visit, profile)})`,
      description: toPlainLine(profile.noteHtml),
      image: pictureOrDefault(addresses, profile, 'avatar').still,
      imageDescription: profile.avatarDescription,
      address: elsewhere(profile.remote?.url) ?? addresses.profile(profile.username),
      activityId,
      more: { 'profile:username': fullHandle(visit, profile) },
    })}${profile.remote === undefined && feedLink(words.postsBy({ name: plainName(profile) }), feedPage(visit, profile, tagged))}`,
    ...(profile.id === visit.account?.id ? { current: 'profile' as const } : {}),
    isIndexed: profile.indexable && profile.remote === undefined,
    headers: alternateHeaders(activityId),
  });
}

/** Behind a line of text: most readers look at the latest posts. */
function searchIn(visit: Visit, profile: Profile): Html | undefined {
  if (visit.account === undefined || visit.services.search === undefined) return undefined;
  const label = visit.words.site.find.by({ account: `@${handleOf(profile)}` });
  return html`<details class="within"><summary>${icon('find')} ${label}</summary>${findFormOf(visit, profile, '')}</details>`;
}

type Tab = 'posts' | 'replies' | 'media' | 'tagged';

function tabOf(query: Fields, tagged: string | undefined): Tab {
  if (tagged !== undefined) return 'tagged';
  return (['replies', 'media'] as const).find((name) => query.get(name) !== undefined) ?? 'posts';
}

function partOf({ showMediaReplies }: Profile, tab: Tab, tagged: string | undefined): AccountPart {
  if (tab === 'media') return { withReplies: showMediaReplies !== false, withoutReblogs: true, onlyMedia: true };
  return { withReplies: tab !== 'posts', ...(tagged !== undefined && { tagged }) };
}

/** Where new posts arrive while the page is open. */
const liveLists: Readonly<Partial<Record<Tab, LiveListName>>> = { posts: 'profile', replies: 'profileWithReplies' };

/** What everybody may see, without boosts, and without replies to others unless they have the tag. */
function accountFeed(
  signedIn: Visit,
  { request }: RawContext<GatewayServices>,
  { name, tag }: { readonly name: string; readonly tag?: string },
): Answer {
  const visit = anonymousVisit(signedIn);
  const { addresses } = visit.services;
  const { profile } = accountOfPage(visit.services, name);
  if (profile.remote !== undefined) throw new Failure('notFound');
  const part = { withReplies: tag !== undefined, withoutReblogs: true, ...(tag !== undefined && { tagged: tag }) };
  const { feed, feedTagged } = visit.words.people.profile;
  const account = `@${fullHandle(visit, profile)}`;
  return feedAnswer(request, visit, {
    title: `${plainName(profile)}${tag === undefined ? '' : ` #${tag}`}`,
    description: tag === undefined ? feed({ account }) : feedTagged({ account, hashtag: `#${tag}` }),
    page: feedPage(visit, profile, tag),
    picture: pictureOrDefault(addresses, profile, 'avatar').still,
    views: accountListing(visit, profile.id, part, { limit: webLimits.pageStatuses }).views,
    isIndexed: profile.indexable,
  });
}

/** The page of a local account whose posts are in a feed. */
function feedPage({ services: { addresses } }: Visit, { username }: Profile, tag: string | undefined): string {
  return tag === undefined ? addresses.profile(username) : addresses.taggedBy(username, tag);
}

function pinned(visit: Visit, accountId: Id): Html | undefined {
  const words = visit.words.people.profile;
  const views = pinnedStatuses(visit, accountId);
  if (views.length === 0) return undefined;
  const entries = views.map(
    (view) =>
      html`<li class="entry"><p class="context">${icon('pin')} ${words.pinned}</p>${article(visit, view, view.status.id)}</li>`,
  );
  return html`<ol class="timeline pinned" aria-label="${words.pinnedPosts}">${entries}</ol>`;
}

function fullHandle(visit: Visit, { username, domain }: Profile): string {
  return `${username}@${domain ?? visit.services.addresses.domain}`;
}

/** An open page replaces it by its id. */
export function headOf(visit: Visit, account: AccountView): Html {
  const { profile } = account;
  return html`<section class="profile card" id="profile-${profile.id}">
<img class="banner" src="${pictureOrDefault(visit.services.addresses, profile, 'header').still}" alt="${profile.headerDescription ?? ''}" width="1500" height="500">
<div class="head">${avatar(visit, profile, 96)}${standing(visit, profile)}</div>
<h1>${name(visit, profile)}${badges(visit, account)}</h1>
<p class="handle">@${fullHandle(visit, profile)}${relationBadges(visit, profile)}</p>
${memorialNotice(visit, profile)}${movedNotice(visit, profile)}
<div class="content" dir="auto">${storedHtml(visit, profile.noteHtml, profile)}</div>
${fieldsOf(visit, profile)}
${
  profile.showFeatured !== false &&
  html`${featuredTagsList(visit, profile)}
${listedCollections(visit, profile)}
${featuredPeople(visit, profile)}`
}
${countsOf(visit, account)}
${profile.id === visit.account?.id && keptLinks(visit)}
<p class="since">${visit.words.people.profile.since({ month: visit.words.formats.month(profile.createdAt) })}</p>
${acquaintance(visit, profile)}
${followHint(visit, profile)}${subscribeForm(visit, profile)}
</section>`;
}

function badges({ words }: Visit, { profile, addedRole }: AccountView): Html {
  const { bot, locked, actorType } = profile;
  const role = addedRole ?? builtInRoles[profile.role];
  const { automated, group, approvesFollowers } = words.people.profile;
  return html`${role.isHighlighted && html` <span class="badge" dir="auto">${roleMark(words, role)}</span>`}${bot && html` <span class="badge">${automated}</span>`}${actorType === 'Group' && html` <span class="badge">${group}</span>`}${
    locked &&
    html` <span class="badge" title="${approvesFollowers}">${icon('private')}<span class="unseen">${approvesFollowers}</span></span>`
  }`;
}

function standing(visit: Visit, profile: Profile): Html | undefined {
  const member = memberOf(visit);
  if (member === undefined) return undefined;
  if (member.account.id === profile.id)
    return html`<p class="relation"><a class="button quiet" href="/settings">${visit.words.people.profile.edit}</a></p>`;
  const relation = relationTo(member, profile.id);
  return html`<div class="relation">${relationButtons(member, profile)}${bell(visit.words, profile, relation)}
${menu(visit, visit.words.people.moreAbout({ account: plainName(profile) }), relationItems(visit, profile, relation))}</div>`;
}

function relationBadges(visit: Visit, profile: Profile): Html | undefined {
  const member = memberOf(visit);
  if (member === undefined) return undefined;
  const words = visit.words.people.profile;
  const { followedBy, mute, blocking } = relationTo(member, profile.id);
  const badge = (holds: boolean, label: string) => holds && html` <span class="badge">${label}</span>`;
  return html`${badge(followedBy, words.followsYou)}${badge(mute !== undefined, words.muted)}${badge(blocking, words.blocked)}`;
}

function memorialNotice(visit: Visit, profile: Profile): Html | undefined {
  if (!profile.memorial) return undefined;
  return html`<div class="notice"><p>${visit.words.people.profile.inMemory({ name: name(visit, profile) })}</p></div>`;
}

function movedNotice(visit: Visit, profile: Profile): Html | undefined {
  const target = profile.movedTo === undefined ? undefined : findAccount(visit.services.snapshots, profile.movedTo);
  return (
    target &&
    html`<div class="notice"><p>${visit.words.people.profile.hasMoved({ name: name(visit, profile) })}</p>${byline(visit, target.profile)}</div>`
  );
}

function fieldsOf(visit: Visit, profile: Profile): Html | undefined {
  const { fields } = profile;
  if (fields.length === 0) return undefined;
  return html`<dl class="fields">${fields.map(
    (field) =>
      html`<div${field.verifiedAt !== undefined && html` class="verified"`}><dt dir="auto">${storedText(visit, field.name, profile)}</dt><dd dir="auto">${
        field.verifiedAt !== undefined &&
        html`${icon('check')}<span class="unseen">${visit.words.people.profile.verified} </span>`
      }${storedHtml(visit, field.html, profile)}</dd></div>`,
  )}</dl>`;
}

function featuredTagsList(visit: Visit, profile: Profile): Html | undefined {
  const tags = featuredTagsOf(visit.services.snapshots, profile.id);
  if (tags.length === 0) return undefined;
  const path = `/@${handleOf(profile)}/tagged`;
  return html`<ul class="tags" aria-label="${visit.words.people.profile.featuredHashtags}">${tags.map(
    ({ name, display }) => html`<li><a href="${path}/${encodeURIComponent(name)}" dir="auto">#${display}</a></li>`,
  )}</ul>`;
}

function listedCollections({ services, viewer, words }: Visit, profile: Profile): Html | undefined {
  if (viewer.blocks(profile.id)) return undefined;
  const listed = collectionsOf(services.snapshots, profile.id).filter(({ discoverable }) => discoverable);
  return listed.length === 0 ? undefined : collectionList(listed, words.people.profile.collections);
}

function featuredPeople(visit: Visit, profile: Profile): Html | undefined {
  const { services, viewer, words } = visit;
  if (isKeptFrom(profile, viewer)) return undefined;
  const choose = shownAccounts(services.snapshots, viewer);
  const { items, full } = endorsementsOf(services.snapshots, profile.id, choose, { limit: webLimits.featuredPeople });
  if (items.length === 0) return undefined;
  const rows = items.map(
    (one) =>
      html`<li><a href="${accountPath(visit, one.profile)}">${avatar(visit, one.profile, 24)} ${name(visit, one.profile)}</a></li>`,
  );
  const all = html`<li><a href="/@${handleOf(profile)}/endorsements">${words.people.profile.allFeatured}</a></li>`;
  return html`<ul class="featured" aria-label="${words.people.profile.featuredPeople}">${rows}${full && all}</ul>`;
}

/** For visitors who are signed in elsewhere, or nowhere. */
function followHint(visit: Visit, profile: Profile): Html | undefined {
  if (visit.account !== undefined) return undefined;
  const signIn = `/auth/sign_in?return_to=${encodeURIComponent(`/@${handleOf(profile)}`)}`;
  return html`<details class="hint"><summary class="button">${visit.words.people.follow}</summary>
<p>${visit.words.people.profile.followHint({ signIn: linkTo(signIn) })}</p>
<p><code>@${fullHandle(visit, profile)}</code></p></details>`;
}

/** For whoever wants the posts by mail, where the server and the account offer it. */
function subscribeForm(visit: Visit, profile: Profile): Html | undefined {
  if (profile.emailSubscriptions !== true || !isOffered(visit.services, profile.id)) return undefined;
  const words = visit.words.people.subscribing;
  return html`<details class="hint"><summary class="button quiet">${words.offer}</summary>
<form class="plain" method="post" action="/email_subscriptions">
${hidden('account', profile.id.toString())}
<p>${words.offerHint}</p>
<div class="field"><label>${words.email} <input name="email" type="email" autocomplete="email" maxlength="${emailSubscriptionLimits.emailCharactersMax}" required></label></div>
<button type="submit">${words.button}</button>
</form></details>`;
}
