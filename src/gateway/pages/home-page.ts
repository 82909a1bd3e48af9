/** The home of a signed-in visitor: the form for a post, and the home timeline, updated live. */
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import { html } from '../../services/words/html.ts';
import type { Answer } from '../http/answers.ts';
import { liveAddress } from './live/live-lists.ts';
import { announcementCards } from './parts/announcements.ts';
import { composeForm } from './parts/compose.ts';
import { siteAnswer } from './parts/frame.ts';
import { linkTo } from './parts/slots.ts';
import { timeline } from './parts/timeline.ts';
import { homeListing } from './statuses.ts';
import type { Visit } from './visit.ts';

export async function homePage(visit: Visit, account: LocalAccount, maxId: Id | undefined): Promise<Answer> {
  const listing = await homeListing(visit, account.id, maxId);
  const { home, quiet, quietHint } = visit.words.site.timeline;
  const isFirst = maxId === undefined;
  const main = html`<h1 class="unseen">${visit.words.site.home}</h1>
${isFirst && announcementCards({ ...visit, account })}
${isFirst && composeForm(visit, { visibility: account.login.defaultPrivacy, returnTo: '/' })}
${timeline(visit, listing, {
  label: home,
  live: isFirst ? liveAddress('home', listing.newest) : undefined,
  empty: html`<h2>${quiet}</h2>
<p>${quietHint({ local: linkTo('/public/local') })}</p>`,
})}`;
  return siteAnswer(visit, { main, current: 'home', isIndexed: false });
}
