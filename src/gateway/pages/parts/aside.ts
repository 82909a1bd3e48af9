/** What stands beside a page: who is signed in, or what this server is. */
import { type AccountView, findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { bannerPath } from '../../banner.ts';
import type { Visit } from '../visit.ts';
import { avatar, name } from './account.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { icon } from './icons.ts';
import { accountPath, handleOf, signInPath } from './links.ts';

const counted = new Intl.NumberFormat('en');

/** Of a server whose staff has written nothing about it. */
export const defaultDescription =
  'A place in the fediverse: people here follow, and are followed by, people everywhere.';

export function aside(visit: Visit): Html {
  const me = visit.account === undefined ? undefined : findAccount(visit.services.snapshots, visit.account.id);
  return me === undefined ? serverCard(visit) : ownCard(visit, me);
}

function ownCard(visit: Visit, account: AccountView): Html {
  return html`${ownSummary(visit, account)}
${findForm('Search', '')}`;
}

/** Its counts change with what the visitor does: it has an id, by which an open page exchanges it. */
export function ownSummary(visit: Visit, account: AccountView): Html {
  const { profile } = account;
  return html`<section class="card own" id="own" aria-label="You">
<a class="byline" href="${accountPath(visit, profile)}">${avatar(profile, 56)}<span>${name(profile)} <span class="handle">@${handleOf(profile)}@${visit.services.addresses.domain}</span></span></a>
${countsOf(visit, account)}
${keptLinks}
</section>`;
}

/** Names are looked for here; a whole handle is asked of its server as well. */
export function findForm(label: string, words: string, attributes?: Html): Html {
  return html`<form class="card find" action="/web/find" role="search">
<label>${label}
<span class="line"><input name="handle" value="${words}" placeholder="name or #hashtag" autocapitalize="none" spellcheck="false" required${attributes}>
<button type="submit" class="quiet">Go</button></span></label>
</form>`;
}

/** Followers and followed people lead to their lists; who hides them sees only their own. */
export function countsOf(visit: Visit, { profile, counters }: AccountView): Html {
  const path = `/@${handleOf(profile)}`;
  const count = (value: number, words: HtmlPart) => html`<div><dt>${words}</dt><dd>${counted.format(value)}</dd></div>`;
  const { statuses, following, followers } = counters;
  return html`<dl class="counts">${count(statuses, statuses === 1 ? 'post' : 'posts')}${
    !(profile.hideCollections && profile.id !== visit.account?.id) &&
    html`${count(following, html`<a href="${path}/following">following</a>`)}${count(
      followers,
      html`<a href="${path}/followers">${followers === 1 ? 'follower' : 'followers'}</a>`,
    )}`
  }</dl>`;
}

/** To what is one's own. */
export const keptLinks = html`<p class="kept"><a href="/bookmarks">${icon('bookmark')} Bookmarks</a> <a href="/favourites">${icon('favourite')} Favourites</a> <a href="/lists">${icon('list')} Lists</a> <a href="/conversations">${icon('direct')} Conversations</a> <a href="/scheduled">${icon('clock')} Scheduled</a> <a href="/collections">${icon('people')} Collections</a></p>`;

/** For those who are not signed in. */
function serverCard(visit: Visit): Html {
  const { title, description } = visit.settings;
  return html`<section class="card server">
<img src="${bannerPath}" alt="" width="1200" height="630" loading="lazy">
<h2><a href="/">${title}</a></h2>
${description !== '' && html`<p dir="auto">${description}</p>`}
${joinButtons(visit)}
</section>`;
}

/** The ways in. */
export function joinButtons(visit: Visit): Html {
  const { registrations } = visit.settings;
  return html`<p class="join">${
    registrations !== 'closed' &&
    html`<a class="button" href="/auth/sign_up">${registrations === 'open' ? 'Create an account' : 'Ask for an account'}</a> `
  }<a class="button quiet" href="${signInPath(visit)}">Sign in</a></p>`;
}
