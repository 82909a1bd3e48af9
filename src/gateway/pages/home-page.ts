/**
 * The home of a signed-in visitor: the form for a post, and the home timeline, updated live. It shows how far the visitor
 * has read, as apps do (the marker of the Mastodon API). POST /web/home/read moves that: the script does once its reader
 * has come to where they were; without scripts there is a button.
 */

import { markersOf } from '../../actors/account/markers/markers.queries.ts';
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { moveMarkers } from '../../operations/notifications/move-markers.ts';
import { asFailure, Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { queryFields } from '../oauth/forms.ts';
import { accountContext } from '../oauth/own-form.ts';
import { liveAddress } from './live/live-lists.ts';
import { byline } from './parts/account.ts';
import { announcementCards } from './parts/announcements.ts';
import { composeForm } from './parts/compose.ts';
import { siteAnswer } from './parts/frame.ts';
import { timeline } from './parts/timeline.ts';
import { welcome } from './parts/welcome.ts';
import { formRoute } from './signed-in-form.ts';
import { homeListing, type Listing } from './statuses.ts';
import { type MemberVisit, newerThanOf, olderThanOf } from './visit.ts';

export async function homePage(visit: MemberVisit, context: RawContext<GatewayServices>): Promise<Answer> {
  const { account, words } = visit;
  const [maxId, minId] = [olderThanOf(context.request), newerThanOf(context.request)];
  const listing = await homeListing(visit, account.id, { maxId, minId });
  const isFirst = maxId === undefined && minId === undefined;
  const isEmpty = listing.complete && listing.views.length === 0;
  const given = maxId === undefined ? undefined : parseId(queryFields(context.request.query).get('top') ?? '');
  const top = given ?? listing.newest;
  const { above, mark } = readingPlace(visit, {
    ...listing,
    top,
    from: isFirst ? 'top' : minId === undefined ? 'above' : 'below',
  });
  const main = html`<h1 class="unseen">${words.site.home}</h1>
${isFirst && announcementCards(visit)}
${isFirst && (movedCard(visit) ?? composeForm(visit, { visibility: account.login.defaultPrivacy, returnTo: '/' }))}
${above}
${timeline(visit, listing, {
  label: words.site.timeline.home,
  live: isFirst ? liveAddress('home', listing.newest) : undefined,
  kept: minId !== undefined || top === undefined ? '' : `top=${top}&`,
  mark,
  empty: isEmpty ? await welcome(visit, accountContext(context, account.id)) : html``,
})}`;
  return siteAnswer(visit, { main, current: 'home', isIndexed: false });
}

/** In place of the form: an account that has moved cannot post. */
function movedCard(visit: MemberVisit): Html | undefined {
  const { account, words, services } = visit;
  const { movedTo } = account.profile;
  if (movedTo === undefined) return undefined;
  const there = findAccount(services.snapshots, movedTo);
  const { title, hasMoved } = words.settings.moving;
  return html`<section class="card plain"><p>${hasMoved}</p>
${there && byline(visit, there.profile)}
<p><a class="button quiet" href="/settings/moving">${title}</a></p></section>`;
}

interface ShownPart extends Listing {
  /** The newest post that was shown on the way here, page by page. */
  readonly top: Id | undefined;
  /** It begins with the newest post, or its reader comes to it from newer ones, or from older ones. */
  readonly from: 'top' | 'above' | 'below';
}

interface ReadingPlace {
  readonly above?: Html;
  /** In the list. */
  readonly mark?: { readonly before: Id; readonly words: Html };
}

/** Whoever comes from newer posts has read them all at the mark; whoever comes from older ones, at the top of the page. */
function readingPlace({ services, account, words }: MemberVisit, { views, older, top, from }: ShownPart): ReadingPlace {
  const [newest] = views;
  const readId = markersOf(services.snapshots, account.id).home?.lastReadId;
  if (newest === undefined || top === undefined || (readId !== undefined && readId >= newest.status.id)) return {};
  const { youWereHere, continueHere, markAsRead } = words.site.timeline;
  const button = (told: Html) =>
    html`<button class="quiet" form="acts" formaction="/web/home/read?newest=${top}"${told}>${markAsRead}</button>`;
  const whenSeen = button(html` data-read="seen"`);
  if (readId === undefined) return from === 'top' ? { above: button(html` data-read="now" hidden`) } : {};
  const isHere = older === undefined || views.some(({ status }) => status.id <= readId);
  const here = html`<span>${youWereHere}</span>`;
  const mark = { before: readId, words: from === 'below' ? here : html`${here}${whenSeen}` };
  if (from === 'below') return { mark, above: html`<p class="resume">${whenSeen}</p>` };
  if (isHere || from === 'above') return { mark };
  // The page upwards from there, which ends with what was read last.
  const path = `/?min_id=${readId - 1n}#here`;
  return {
    above: html`<p class="resume"><a class="button quiet" href="${path}">${continueHere}</a>${button(html``)}</p>`,
  };
}

/** Never backwards. */
export const readHomeForm = formRoute(
  '/web/home/read',
  async (form, context) => {
    const { services, account } = form;
    const newest = parseId(queryFields(context.request.query).get('newest') ?? '');
    if (newest === undefined) throw new Failure('notFound');
    const read = markersOf(services.snapshots, account.id).home?.lastReadId ?? 0n;
    try {
      if (newest > read) await moveMarkers(form, { home: newest });
    } catch (error) {
      // Another page or client has moved it at the same time.
      if (asFailure(error).code !== 'conflict') throw error;
    }
    return redirect('/', 303);
  },
  { admitsMoved: true },
);
