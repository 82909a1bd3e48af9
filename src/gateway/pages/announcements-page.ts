/** /announcements: what the staff announce, also what the visitor has dismissed, newest first. */
import { announcementsFor } from '../../operations/announcements/announcements.ts';
import { html } from '../../services/words/html.ts';
import { memberPage } from './page-handler.ts';
import { announcementCard } from './parts/announcements.ts';
import { siteAnswer } from './parts/frame.ts';

export const announcementsPage = memberPage((visit) => {
  const views = announcementsFor(visit.services, visit.account.id).toReversed();
  const title = visit.words.site.announcements;
  const main = html`<h1 class="list">${title}</h1>
${views.map((view) => announcementCard(visit, view, '/announcements'))}
${views.length === 0 && html`<div class="empty"><p>${visit.words.posts.announcement.none}</p></div>`}`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});
