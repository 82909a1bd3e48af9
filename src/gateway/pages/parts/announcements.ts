/** Announcements: above the home timeline until they are dismissed, and all on a page. Buttons add and remove reactions. */
import {
  type AnnouncementView,
  announcementsFor,
  type ReactionView,
} from '../../../operations/announcements/announcements.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { timestamp } from '../../entities/values.ts';
import { hidden } from '../../oauth/forms.ts';
import type { MemberVisit, Visit } from '../visit.ts';
import { emojiButton } from './emoji-button.ts';
import { icon } from './icons.ts';
import { storedHtml, storedText } from './stored.ts';
import { fullTime } from './time.ts';

/** Those that were not dismissed. */
export function announcementCards(visit: MemberVisit): Html[] {
  return announcementsFor(visit.services, visit.account.id)
    .filter(({ isRead }) => !isRead)
    .map((view) => announcementCard(visit, view, '/'));
}

/** `path`: of the page on which it is. */
export function announcementCard(visit: MemberVisit, view: AnnouncementView, path: string): Html {
  const words = visit.words.posts.announcement;
  return html`<section class="card plain announcement" aria-label="${words.title}">
<div class="content" dir="auto">${storedHtml(visit, view.html, view)}</div>
${span(visit, view)}
<p class="line">${view.reactions.map((reaction) => reactionButton(visit, view, reaction))}</p>
${reactionForm(visit, view, path)}
<p class="line">${path === '/' && html`<a href="/announcements">${words.all}</a> `}${!view.isRead && html`<button class="quiet" form="acts" formaction="/web/announcements/${view.id}/dismiss">${words.dismiss}</button>`}</p>
</section>`;
}

/** With an emoji that nobody has reacted with yet. */
function reactionForm(visit: MemberVisit, { id }: AnnouncementView, path: string): Html {
  const { react, reactWith } = visit.words.posts.announcement;
  return html`<details class="react"><summary class="button quiet">${icon('smile')}${react}</summary>
<form method="post" action="/web/announcements/${id}/react">
${hidden('form_token', visit.formToken)}
${hidden('return_to', path)}
<div class="line"><label>${reactWith} <input name="reaction" autocapitalize="none" autocomplete="off" spellcheck="false" required></label>
<button type="submit">${react}</button>${emojiButton(visit, 'sent')}</div></form></details>`;
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
