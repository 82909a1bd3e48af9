/** Conversations for pages. */

import {
  conversationOfLastStatus,
  conversationsOf,
  type StoredConversation,
} from '../../../actors/account/conversations/conversations.queries.ts';
import { type AccountView, findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { type Page, type PageBounds, takePage } from '../../../actors/pages.ts';
import { participantsOf } from '../../../operations/presentation/participants.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { shownStatus } from '../filtered.ts';
import { webLimits } from '../limits.ts';
import type { MemberVisit } from '../visit.ts';

export interface ConversationView {
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** Without the visitor, unless there is no other participant. */
  readonly people: readonly AccountView[];
  readonly last: PresentedStatus;
}

/** The cursors are ids of last posts. */
export function conversationListing(
  visit: MemberVisit,
  { limit = webLimits.pageStatuses, ...cursors }: Partial<PageBounds>,
): Page<ConversationView> {
  const { services, account } = visit;
  const bounds = { ...cursors, limit };
  return takePage(
    conversationsOf(services.snapshots, account.id, bounds),
    bounds,
    ({ id }) => id,
    (stored) => conversationView(visit, stored),
  );
}

/** The conversation whose last post this is. */
export function conversationWith(visit: MemberVisit, lastStatusId: Id): ConversationView | undefined {
  const stored = conversationOfLastStatus(visit.services.snapshots, visit.account.id, lastStatusId);
  return stored && conversationView(visit, stored);
}

function conversationView(visit: MemberVisit, stored: StoredConversation): ConversationView | undefined {
  const { services, account } = visit;
  const { id, threadId, isUnread } = stored;
  const last = shownStatus(visit, id, 'single');
  if (last === undefined) return undefined;
  const people = participantsOf(last.status, account.id).flatMap((one) => findAccount(services.snapshots, one) ?? []);
  return { threadId, isUnread, people, last };
}
