/**
 * GET /web/statuses/:id/quote: the form for a post that quotes another. /@NAME/ID/quotes: the posts that quote one, as
 * far as the visitor may see them.
 */

import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { quotabilityOf } from '../../../operations/presentation/quotes.ts';
import { permissionToQuote } from '../../../operations/quotes/quoted-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { html } from '../../../services/words/html.ts';
import { shownStatus } from '../filtered.ts';
import { memberPage } from '../page-handler.ts';
import { plainName } from '../parts/account.ts';
import { composeForm } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { pathOfStatus } from '../parts/links.ts';
import { reactionTabs } from '../parts/reaction-tabs.ts';
import { linkTo } from '../parts/slots.ts';
import { timeline } from '../parts/timeline.ts';
import { accountOfPage } from '../profile-page.ts';
import { quotesListing } from '../statuses.ts';
import { idInPath, type MemberVisit, olderThanOf } from '../visit.ts';

/** Throws Failure notFound for a post that is not visible, and forbidden for one that the visitor may not quote. */
export function quotedPost(visit: MemberVisit, id: Id): PresentedStatus {
  const view = shownStatus(visit, id, 'single');
  if (view === undefined || view.reblog !== undefined) throw new Failure('notFound');
  if (permissionToQuote(visit.services, view, visit.account.id) !== 'denied') return view;
  const { asksForFollow } = quotabilityOf(view.status);
  throw new Failure('forbidden', { reason: asksForFollow ? 'onlySomeMayQuote' : 'nobodyMayQuote' });
}

export const quotePage = memberPage((visit, context) => {
  const quoted = quotedPost(visit, idInPath(context));
  const { quoteTitle: title } = visit.words.writing;
  const stays = quoted.status.localOnly === true ? 'implied' : undefined;
  const main = html`<h1 class="list">${title}</h1>
${composeForm(visit, { visibility: visit.account.login.defaultPrivacy, quoted, stays, returnTo: '/' })}`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});

export const quotesPage = memberPage((visit, context) => {
  const { profile } = accountOfPage(visit.services, context.pathParameters.name ?? '');
  const view = shownStatus(visit, idInPath(context), 'single');
  if (view === undefined || view.reblog !== undefined || view.status.accountId !== profile.id)
    throw new Failure('notFound');
  const { status } = view;
  const { title, introduction, none } = visit.words.posts.quotesOf;
  const link = linkTo(pathOfStatus(profile, status.id));
  const main = html`<h1 class="list">${title}</h1>
<p class="list">${introduction({ link, name: html`<bdi>${plainName(profile)}</bdi>` })}</p>
${reactionTabs(visit, view, 'quotes')}
${timeline(visit, quotesListing(visit, status.id, olderThanOf(context.request)), {
  label: title,
  empty: html`<p>${none}</p>`,
})}`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});
