/** Announcements above the home timeline until they are dismissed. Buttons add and remove reactions. */
import {
  type AnnouncementView,
  announcementsFor,
  type ReactionView,
} from '../../../operations/announcements/announcements.ts';
import type { Id } from '../../../runtime/ids.ts';
import { timestamp } from '../../entities/values.ts';
import type { MemberVisit } from '../visit.ts';
import { type Html, html } from './html.ts';
import { storedHtml, storedText } from './stored.ts';
import { fullTime } from './time.ts';

export function announcementCards(visit: MemberVisit): Html[] {
  return announcementsFor(visit.services, visit.account.id)
    .filter(({ isRead }) => !isRead)
    .map(card);
}

function card(view: AnnouncementView): Html {
  return html`<section class="card plain announcement" aria-label="Announcement">
<div class="content" dir="auto">${storedHtml(view.html, view.emojis)}</div>
${span(view)}
<p class="line">${view.reactions.map((reaction) => reactionButton(view, reaction))}
<button class="quiet" form="acts" formaction="/web/announcements/${view.id}/dismiss">Dismiss</button></p>
</section>`;
}

function span({ startsAt, endsAt, allDay }: AnnouncementView): Html | undefined {
  if (startsAt === undefined && endsAt === undefined) return undefined;
  const shown = (time: number) => (allDay ? html`<time>${timestamp(time).slice(0, 10)}</time>` : fullTime(time));
  return html`<p class="fine">${startsAt !== undefined && html`From ${shown(startsAt)} `}${endsAt !== undefined && html`until ${shown(endsAt)}`}</p>`;
}

function reactionButton({ id, emojis }: { id: Id; emojis: AnnouncementView['emojis'] }, reaction: ReactionView): Html {
  const { name, count, emoji, isMine } = reaction;
  const picture = emoji === undefined ? html`${name}` : storedText(`:${name}:`, [emoji, ...emojis]);
  const path = `/web/announcements/${id}/${isMine ? 'unreact' : 'react'}`;
  return html`<button class="quiet" form="acts" formaction="${path}" name="reaction" value="${name}" aria-pressed="${String(isMine)}">${picture} ${count}</button> `;
}
