/** The home of a signed-in visitor: the form for a post, and the home timeline, updated live. */
import { html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { accountContext } from '../oauth/own-form.ts';
import { liveAddress } from './live/live-lists.ts';
import { announcementCards } from './parts/announcements.ts';
import { composeForm } from './parts/compose.ts';
import { siteAnswer } from './parts/frame.ts';
import { timeline } from './parts/timeline.ts';
import { welcome } from './parts/welcome.ts';
import { homeListing } from './statuses.ts';
import { type MemberVisit, olderThanOf } from './visit.ts';

export async function homePage(visit: MemberVisit, context: RawContext<GatewayServices>): Promise<Answer> {
  const { account } = visit;
  const maxId = olderThanOf(context.request);
  const listing = await homeListing(visit, account.id, maxId);
  const isFirst = maxId === undefined;
  const isEmpty = listing.complete && listing.views.length === 0;
  const main = html`<h1 class="unseen">${visit.words.site.home}</h1>
${isFirst && announcementCards(visit)}
${isFirst && composeForm(visit, { visibility: account.login.defaultPrivacy, returnTo: '/' })}
${timeline(visit, listing, {
  label: visit.words.site.timeline.home,
  live: isFirst ? liveAddress('home', listing.newest) : undefined,
  empty: isEmpty ? await welcome(visit, accountContext(context, account.id)) : html``,
})}`;
  return siteAnswer(visit, { main, current: 'home', isIndexed: false });
}
