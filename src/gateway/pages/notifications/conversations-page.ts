/**
 * /conversations: the visitor's private conversations, most recently continued first. And their buttons: POST
 * /web/conversations/:id/open, read, unread and remove.
 *
 * Opening an unread conversation is a form too: browsers prefetch pages, so a GET must not mark anything as read.
 */
import { findConversation } from '../../../actors/account/conversations/conversations.queries.ts';
import {
  readConversation,
  removeConversation,
  unreadConversation,
} from '../../../operations/conversations/change-conversation.ts';
import { Failure } from '../../../runtime/errors.ts';
import { html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import type { RawRoute } from '../../route.ts';
import { shownStatus } from '../filtered.ts';
import { liveAddress } from '../live/live-lists.ts';
import { memberPage } from '../page-handler.ts';
import { conversationEntry } from '../parts/conversation.ts';
import { siteAnswer } from '../parts/frame.ts';
import { statusPath } from '../parts/links.ts';
import { arrivalWords } from '../parts/timeline.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, olderThanOf } from '../visit.ts';
import { conversationListing } from './conversations.ts';

export const conversationsPage = memberPage((visit, { request }) => {
  const maxId = olderThanOf(request);
  const { items, newest, oldest, full } = conversationListing(visit, { maxId });
  const live = maxId === undefined && html` data-live="${liveAddress('conversations', newest)}"`;
  const words = visit.words.notifications.conversations;
  const main = html`<h1 class="list">${words.title}</h1>
<ol class="timeline" aria-label="${words.title}"${arrivalWords(visit, 'messages')}${live}>${items.map((one) => conversationEntry(visit, one))}</ol>
${items.length === 0 && !full && html`<div class="empty"><h2>${words.nothing}</h2><p>${words.nothingHint}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}`;
  return siteAnswer(visit, { title: words.title, main, current: 'conversations', isIndexed: false });
});

const openConversation = formRoute('/web/conversations/:id/open', async (form, context) => {
  const { visit, services, account } = form;
  const threadId = idInPath(context);
  const conversation = findConversation(services.snapshots, account.id, threadId);
  const last = conversation && shownStatus(visit, conversation.lastStatusId, 'single');
  if (last === undefined) throw new Failure('notFound');
  await readConversation(form, { threadId });
  return redirect(statusPath(visit, last), 303);
});

const readConversationForm = formRoute('/web/conversations/:id/read', async (form, context) => {
  await readConversation(form, { threadId: idInPath(context) });
  return redirect(form.returnTo, 303);
});

const unreadConversationForm = formRoute('/web/conversations/:id/unread', async (form, context) => {
  await unreadConversation(form, { threadId: idInPath(context) });
  return redirect(form.returnTo, 303);
});

const removeConversationForm = formRoute('/web/conversations/:id/remove', async (form, context) => {
  await removeConversation(form, { threadId: idInPath(context) });
  return redirect(form.returnTo, 303);
});

export const conversationForms: readonly RawRoute<GatewayServices>[] = [
  openConversation,
  readConversationForm,
  unreadConversationForm,
  removeConversationForm,
];
