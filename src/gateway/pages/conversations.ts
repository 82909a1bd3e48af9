/** Which conversations a page shows, and what of each. */
import {
  chooseConversations,
  conversationOfLastStatus,
  findConversation,
} from '../../actors/account/conversations/conversations.queries.ts';
import { type AccountView, findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import type { Page, PageBounds } from '../../actors/pages.ts';
import { participantsOf } from '../../operations/presentation/participants.ts';
import type { PresentedStatus } from '../../operations/presentation/presented-status.ts';
import type { Id } from '../../runtime/ids.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import type { MemberVisit } from './visit.ts';

export interface ConversationView {
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** Without the visitor, except where nobody else takes part. */
  readonly people: readonly AccountView[];
  readonly last: PresentedStatus;
}

/** The cursors are ids of last posts. */
export function conversationListing(
  visit: MemberVisit,
  { limit = webLimits.pageStatuses, ...bounds }: Partial<PageBounds>,
): Page<ConversationView> {
  const { services, account } = visit;
  return chooseConversations(services.snapshots, account.id, { ...bounds, limit }, (threadId) =>
    conversationView(visit, threadId),
  );
}

/** Of the conversation that this post continued last. */
export function conversationWith(visit: MemberVisit, lastStatusId: Id): ConversationView | undefined {
  const threadId = conversationOfLastStatus(visit.services.snapshots, visit.account.id, lastStatusId);
  return threadId === undefined ? undefined : conversationView(visit, threadId);
}

function conversationView(visit: MemberVisit, threadId: Id): ConversationView | undefined {
  const { services, account } = visit;
  const conversation = findConversation(services.snapshots, account.id, threadId);
  const last = conversation && shownStatus(visit, conversation.lastStatusId, 'single');
  if (conversation === undefined || last === undefined) return undefined;
  const people = participantsOf(last.status, account.id).flatMap((id) => findAccount(services.snapshots, id) ?? []);
  return { threadId, isUnread: conversation.isUnread, people, last };
}
