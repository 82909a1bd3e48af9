/** A conversation in a list: its participants and its last post. */
import type { AccountView } from '../../../actors/account/profile/profiles.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { webLimits } from '../limits.ts';
import type { ConversationView } from '../notifications/conversations.ts';
import type { MemberVisit } from '../visit.ts';
import { name } from './account.ts';
import { icon } from './icons.ts';
import { accountPath, statusPath } from './links.ts';
import { menu, menuButton, menuQuestion } from './menu.ts';
import { article } from './status.ts';

/**
 * Its element id contains the id of the last post, by which an open page sorts; the script removes the entry it
 * replaces.
 */
export function conversationEntry(visit: MemberVisit, view: ConversationView): Html {
  const { threadId, isUnread, people, last } = view;
  const words = visit.words.notifications.conversations;
  const path = `/web/conversations/${threadId}`;
  const opening = isUnread
    ? html`<button class="quiet" form="acts" formaction="${path}/open">${words.open}</button>`
    : html`<a class="button quiet" href="${statusPath(visit, last)}">${words.open}</a>`;
  const marking = isUnread
    ? menuButton(`${path}/read`, words.markAsRead)
    : menuButton(`${path}/unread`, words.markAsUnread);
  const items = html`${marking}
${menuQuestion({ words: words.remove, question: words.removeHint, answer: words.removeConfirm, action: `${path}/remove` })}`;
  return html`<li class="entry notification conversation${isUnread && ' is-unread'}" id="conversation-${last.status.id}" data-subject="${threadId}">
<div class="line"><p class="context">${icon('direct')} <span>${namesOf(visit, people)}${isUnread && html`<span class="unseen"> ${visit.words.notifications.isNew}</span>`}</span></p>${opening}${menu(visit, words.more, items)}</div>
${article(visit, last, last.status.id)}</li>`;
}

function namesOf(visit: MemberVisit, people: readonly AccountView[]): Html {
  const { namedPeopleMax } = webLimits;
  const named = people.slice(0, namedPeopleMax);
  const names = named.map(({ profile }) => html`<a href="${accountPath(visit, profile)}">${name(visit, profile)}</a>`);
  const more = people.length - named.length;
  if (more > 0) names.push(html`${visit.words.notifications.conversations.others({ count: more })}`);
  return visit.words.formats.list(names);
}
