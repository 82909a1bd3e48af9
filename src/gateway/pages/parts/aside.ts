/** The column beside a page: the signed-in account, or a description of the server. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { type AccountView, findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { type Html, type HtmlPart, html } from '../../../services/words/html.ts';
import { hidden } from '../../oauth/forms.ts';
import { serverPicture } from '../../server-picture.ts';
import { isStaff } from '../admin/sections.ts';
import { memberOf, type Visit } from '../visit.ts';
import { avatar, name } from './account.ts';
import { icon } from './icons.ts';
import { accountPath, handleOf, signInPath } from './links.ts';

export function aside(visit: Visit): Html {
  const me = visit.account === undefined ? undefined : findAccount(visit.services.snapshots, visit.account.id);
  return me === undefined ? serverCard(visit) : ownCard(visit, me);
}

function ownCard(visit: Visit, account: AccountView): Html {
  return html`${ownSummary(visit, account)}
${findForm(visit, visit.words.site.search, '')}`;
}

/** Its counts change with the visitor's actions: an open page replaces it by its id. */
export function ownSummary(visit: Visit, account: AccountView): Html {
  const { profile } = account;
  return html`<section class="card own" id="own" aria-label="${visit.words.site.you}">
<a class="byline" href="${accountPath(visit, profile)}">${avatar(visit, profile, 56)}<span>${name(visit, profile)} <span class="handle">@${handleOf(profile)}@${visit.services.addresses.domain}</span></span></a>
${countsOf(visit, account)}
${keptLinks(visit)}
</section>`;
}

/** Searches here; a complete handle is also looked up at its server. `further`: fields that nobody sees. */
export function findForm(
  { words: { site } }: Visit,
  label: string,
  given: string,
  attributes?: Html,
  further?: Html,
): Html {
  return html`<form class="card find" action="/web/find" role="search" aria-label="${label}">
<label>${label}
<span class="line"><input name="handle" value="${given}" placeholder="${site.find.placeholder}" autocapitalize="none" spellcheck="false" required${attributes}>
<button type="submit" class="quiet">${site.find.button}</button></span></label>${further}
</form>`;
}

/** Searches in the posts of one account. */
export function findFormOf(visit: Visit, author: Profile, given: string, attributes?: Html): Html {
  const handle = handleOf(author);
  const label = visit.words.site.find.by({ account: `@${handle}` });
  return findForm(visit, label, given, attributes, hidden('of', handle));
}

/** Links to the lists of followers and followed accounts; if these are hidden, only their owner gets links. */
export function countsOf(visit: Visit, { profile, counters }: AccountView): Html {
  const path = `/@${handleOf(profile)}`;
  const { people, site, formats } = visit.words;
  const count = (value: number, words: HtmlPart) => html`<div><dt>${words}</dt><dd>${formats.number(value)}</dd></div>`;
  const { statuses, following, followers } = counters;
  return html`<dl class="counts">${count(statuses, site.numbers.posts({ count: statuses }))}${
    !(profile.hideCollections && profile.id !== visit.account?.id) &&
    html`${count(following, html`<a href="${path}/following">${people.counts.following({ count: following })}</a>`)}${count(
      followers,
      html`<a href="${path}/followers">${people.counts.followers({ count: followers })}</a>`,
    )}`
  }</dl>`;
}

/** Links to the visitor's own lists. */
export function keptLinks(visit: Visit): Html {
  const { site, staff } = visit.words;
  const member = memberOf(visit);
  return html`<p class="kept"><a href="/bookmarks">${icon('bookmark')} ${site.bookmarks}</a> <a href="/favourites">${icon('favourite')} ${site.favourites}</a> <a href="/lists">${icon('list')} ${site.lists}</a> <a href="/conversations">${icon('direct')} ${site.conversations}</a> <a href="/scheduled">${icon('clock')} ${site.scheduled}</a> <a href="/collections">${icon('people')} ${site.collections}</a>${member !== undefined && isStaff(member) && html` <a href="/admin">${icon('settings')} ${staff.title}</a>`}</p>`;
}

/** For visitors who are not signed in. */
function serverCard(visit: Visit): Html {
  const { title, description } = visit.settings;
  return html`<section class="card server">
<img src="${serverPicture(visit.settings, visit.services.addresses, '').url}" alt="" width="1200" height="630" loading="lazy">
<h2><a href="/">${title}</a></h2>
${description !== '' && html`<p dir="auto">${description}</p>`}
${joinButtons(visit)}
</section>`;
}

/** The buttons for signing in and up. */
export function joinButtons(visit: Visit): Html {
  const { registrations } = visit.settings;
  const { site } = visit.words;
  return html`<p class="join">${
    registrations !== 'closed' &&
    html`<a class="button" href="/auth/sign_up">${registrations === 'open' ? site.signUp : site.askForAccount}</a> `
  }<a class="button quiet" href="${signInPath(visit)}">${site.signIn}</a></p>`;
}
