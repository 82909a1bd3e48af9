/** Announcements above the home timeline until they are dismissed. Buttons add and remove reactions. */
import {
  type AnnouncementView,
  announcementsFor,
  type ReactionView,
} from '../../../operations/announcements/announcements.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { timestamp } from '../../entities/values.ts';
import type { MemberVisit, Visit } from '../visit.ts';
import { storedHtml, storedText } from './stored.ts';
import { fullTime } from './time.ts';

export function announcementCards(visit: MemberVisit): Html[] {
  return announcementsFor(visit.services, visit.account.id)
    .filter(({ isRead }) => !isRead)
    .map((view) => card(visit, view));
}

function card(visit: MemberVisit, view: AnnouncementView): Html {
  const words = visit.words.posts.announcement;
  return html`<section class="card plain announcement" aria-label="${words.title}">
<div class="content" dir="auto">${storedHtml(visit, view.html, view)}</div>
${span(visit, view)}
<p class="line">${view.reactions.map((reaction) => reactionButton(visit, view, reaction))}
<button class="quiet" form="acts" formaction="/web/announcements/${view.id}/dismiss">${words.dismiss}</button></p>
</section>`;
}

function span(visit: MemberVisit, { startsAt, endsAt, allDay }: AnnouncementView): Html | undefined {
  const shown = (time: number) => (allDay ? html`<time>${timestamp(time).slice(0, 10)}</time>` : fullTime(visit, time));
  const { from, until, between } = visit.words.posts.announcement;
  if (startsAt === undefined)
    return endsAt === undefined ? undefined : html`<p class="fine">${until({ end: shown(endsAt) })}</p>`;
  const start = shown(startsAt);
  return html`<p class="fine">${endsAt === undefined ? from({ start }) : between({ start, end: shown(endsAt) })}</p>`;
}

function reactionButton(visit: Visit, { id, emojis }: AnnouncementView, reaction: ReactionView): Html {
  const { name, count, emoji, isMine } = reaction;
  const picture = emoji === undefined ? html`${name}` : storedText(visit, `:${name}:`, { emojis: [emoji, ...emojis] });
  const path = `/web/announcements/${id}/${isMine ? 'unreact' : 'react'}`;
  return html`<button class="quiet" form="acts" formaction="${path}" name="reaction" value="${name}" aria-pressed="${String(isMine)}">${picture} ${count}</button> `;
}
