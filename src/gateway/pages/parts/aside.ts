/** The column beside a page: the signed-in account, or a description of the server. */
import { type AccountView, findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { bannerPath } from '../../banner.ts';
import type { Visit } from '../visit.ts';
import { avatar, name } from './account.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { icon } from './icons.ts';
import { accountPath, handleOf, signInPath } from './links.ts';

const counted = new Intl.NumberFormat('en');

/** For a server without a description by its staff. */
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

/** Its counts change with the visitor's actions: an open page replaces it by its id. */
export function ownSummary(visit: Visit, account: AccountView): Html {
  const { profile } = account;
  return html`<section class="card own" id="own" aria-label="You">
<a class="byline" href="${accountPath(visit, profile)}">${avatar(profile, 56)}<span>${name(profile)} <span class="handle">@${handleOf(profile)}@${visit.services.addresses.domain}</span></span></a>
${countsOf(visit, account)}
${keptLinks}
</section>`;
}

/** Searches here; a complete handle is also looked up at its server. */
export function findForm(label: string, words: string, attributes?: Html): Html {
  return html`<form class="card find" action="/web/find" role="search">
<label>${label}
<span class="line"><input name="handle" value="${words}" placeholder="name or #hashtag" autocapitalize="none" spellcheck="false" required${attributes}>
<button type="submit" class="quiet">Go</button></span></label>
</form>`;
}

/** Links to the lists of followers and followed accounts; if these are hidden, only their owner gets links. */
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

/** Links to the visitor's own lists. */
export const keptLinks = html`<p class="kept"><a href="/bookmarks">${icon('bookmark')} Bookmarks</a> <a href="/favourites">${icon('favourite')} Favourites</a> <a href="/lists">${icon('list')} Lists</a> <a href="/conversations">${icon('direct')} Conversations</a> <a href="/scheduled">${icon('clock')} Scheduled</a> <a href="/collections">${icon('people')} Collections</a></p>`;

/** For visitors who are not signed in. */
function serverCard(visit: Visit): Html {
  const { title, description } = visit.settings;
  return html`<section class="card server">
<img src="${bannerPath}" alt="" width="1200" height="630" loading="lazy">
<h2><a href="/">${title}</a></h2>
${description !== '' && html`<p dir="auto">${description}</p>`}
${joinButtons(visit)}
</section>`;
}

/** The buttons for signing in and up. */
export function joinButtons(visit: Visit): Html {
  const { registrations } = visit.settings;
  return html`<p class="join">${
    registrations !== 'closed' &&
    html`<a class="button" href="/auth/sign_up">${registrations === 'open' ? 'Create an account' : 'Ask for an account'}</a> `
  }<a class="button quiet" href="${signInPath(visit)}">Sign in</a></p>`;
}
