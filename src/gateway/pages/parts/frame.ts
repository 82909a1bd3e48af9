/** The frame of the site: navigation, the page, the column beside it, and what its buttons and script need. */

import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { software } from '../../../services/software.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Answer, AnswerHeaders } from '../../http/answers.ts';
import { hidden } from '../../oauth/forms.ts';
import { isStaff } from '../admin/sections.ts';
import { colours } from '../app/colours.ts';
import { iconAddress, iconToCutAddress, scriptAddress } from '../assets.ts';
import { memberOf, type Visit } from '../visit.ts';
import { aside } from './aside.ts';
import { mayReadLive } from './closed-feeds.ts';
import { documentOf, htmlAnswer, siteHeaders } from './document.ts';
import { type IconName, icon, iconSheet } from './icons.ts';
import { lightbox } from './lightbox.ts';
import { handleOf, signInPath } from './links.ts';
import { unreadWords } from './notification.ts';
import { shortcuts } from './shortcuts.ts';

export interface SitePage {
  /** Plain text; by default the name of the server. */
  readonly title?: string;
  readonly main: Html;
  readonly head?: Html | undefined;
  readonly current?:
    | 'home'
    | 'notifications'
    | 'local'
    | 'explore'
    | 'find'
    | 'settings'
    | 'profile'
    | 'bookmarks'
    | 'favourites'
    | 'lists'
    | 'conversations'
    | 'scheduled'
    | 'about'
    | 'admin';
  /** Instead of the usual column. */
  readonly beside?: Html;
  /** Without a column beside it. */
  readonly alone?: boolean;
  /** False keeps it out of search engines. */
  readonly isIndexed?: boolean;
  readonly status?: number;
  readonly headers?: AnswerHeaders;
}

export function siteAnswer(visit: Visit, content: SitePage): Answer {
  const { title, main, head, current, beside, alone = false, isIndexed = true, status = 200, headers } = content;
  const { words } = visit;
  const site = visit.settings.title;
  const document = documentOf({
    language: words.language,
    title: title === undefined ? site : `${title} · ${site}`,
    head: html`${!isIndexed && html`<meta name="robots" content="noindex">`}
${appLinks}
${head}
<script type="module" src="${scriptAddress}"></script>`,
    body: html`<body${visit.account !== undefined && html` class="member"`}>
<a class="skip" href="#content">${words.site.skip}</a>
<header class="top"><div class="bar">
<a class="brand" href="/"><img src="${iconAddress}" alt="" width="32" height="32"><span>${site}</span></a>
${navigation(visit, current)}
</div></header>
<div class="columns${alone && ' alone'}${beside !== undefined && ' wide'}">
<main id="content" tabindex="-1">${main}</main>
${!alone && html`<aside>${beside ?? aside(visit)}</aside>`}
</div>
<footer class="bottom"><p>${visit.services.addresses.domain} · <a href="/about">${words.site.about}</a> · ${words.site.runs({ software: softwareName() })}</p></footer>
${actsForm(visit)}
<p class="failure" id="failure" role="alert" data-unreached="${words.site.problem.unreached}" hidden></p>
${lightbox(visit)}
${shortcuts(visit)}
${iconSheet}
</body>`,
  });
  const isAnybody = visit.account === undefined && visit.barred === undefined;
  const cacheControl = isAnybody ? 'no-cache' : 'private, no-store';
  return htmlAnswer(document, status, {
    ...siteHeaders(visit.services),
    ...byVisitor,
    'Cache-Control': cacheControl,
    ...headers,
  });
}

/** What makes an app of the pages. */
const appLinks = html`<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="${iconToCutAddress}">
<meta name="theme-color" content="${colours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${colours.dark}" media="(prefers-color-scheme: dark)">`;

/** Pages differ by the visitor's language, and by who is signed in. */
const byVisitor = { Vary: 'Accept-Language, Cookie' };

function softwareName(): Html {
  const words = `Murmuration ${software.version}`;
  return software.homepage === undefined ? html`${words}` : html`<a href="${software.homepage}">${words}</a>`;
}

function navigation(visit: Visit, current: SitePage['current']): Html {
  const { account, words } = visit;
  const { site } = words;
  const link = (path: string, drawing: IconName, label: string, place: SitePage['current'], mark?: Html) =>
    html`<a class="to-${place}" href="${path}"${current === place && html` aria-current="page"`}${account !== undefined && html` title="${label}"`}>${icon(drawing)}<span>${label}</span>${mark}</a>`;
  const publicLink = mayReadLive(visit) && link('/public/local', 'people', site.local, 'local');
  if (account === undefined) {
    return html`<nav aria-label="${site.navigation}">${link('/explore', 'explore', site.explore.title, 'explore')}${publicLink}${link('/about', 'about', site.about, 'about')}</nav>
<a class="button quiet" href="${signInPath(visit)}">${site.signIn}</a>`;
  }
  return html`<nav aria-label="${site.navigation}">${link('/', 'home', site.home, 'home')}${link('/notifications', 'bell', site.notifications, 'notifications', unreadMark(visit, account))}${link('/explore', 'explore', site.explore.title, 'explore')}${publicLink}${link(
    '/web/find',
    'find',
    site.search,
    'find',
  )}${link(`/@${handleOf(account.profile)}`, 'person', site.profile, 'profile')}</nav>
<a class="to-settings" href="/settings" title="${site.settings}"${current === 'settings' && html` aria-current="page"`}>${icon('settings')}<span>${site.settings}</span></a>
<a class="button to-write" href="/#compose" title="${site.shortcuts.write}">${icon('edit')}<span>${site.shortcuts.write}</span></a>
${everything(visit)}`;
}

/** On a phone the column beside the page is below it: a menu leads to what its links do. */
function everything(visit: Visit): Html {
  const { site, people, posts, staff } = visit.words;
  const member = memberOf(visit);
  const link = (path: string, words: string) => html`<a class="item" href="${path}">${words}</a>`;
  return html`<details class="menu everything"><summary class="act" title="${site.everything}">${icon('more')}<span>${site.everything}</span></summary>
<div>${link('/settings', site.settings)}${link('/bookmarks', site.bookmarks)}${link('/favourites', site.favourites)}${link('/lists', site.lists)}${link('/conversations', site.conversations)}${link('/scheduled', site.scheduled)}${link('/collections', site.collections)}${link('/announcements', site.announcements)}${link('/followed_tags', posts.tag.followed)}${link('/suggestions', people.lists.suggestions)}${member !== undefined && isStaff(member) && link('/admin', staff.title)}${link('/about', site.about)}</div></details>`;
}

/** The number of unread notifications, updated by the script. */
function unreadMark(visit: Visit, account: LocalAccount): Html {
  const unread = unreadWords({ ...visit, account });
  return html`<span class="unread" data-unread aria-label="${visit.words.site.unread}"${unread === '' && html` hidden`}>${unread}</span>`;
}

/**
 * One form for all buttons outside of other forms (`form="acts"` and a `formaction`): the buttons work without a
 * script, and markup sent to an open page needs no token.
 */
function actsForm({ formToken, address, known }: Visit): Html | undefined {
  if (formToken === undefined) return undefined;
  return html`<form id="acts" method="post" hidden>${hidden('form_token', formToken)}${hidden('known', known?.join())}${hidden('return_to', address)}</form>`;
}
