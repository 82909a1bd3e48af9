/**
 * What an account keeps for itself, and the message by which its owner would remove each entry. Messages refer to a list by
 * its index: append only.
 */
import type { Envelope } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { bookmarks } from '../bookmarks/bookmarks.state.ts';
import { conversations } from '../conversations/conversations.state.ts';
import { emailSubscriptions } from '../email-subscriptions/email-subscriptions.state.ts';
import { featuredTags } from '../featured-tags/featured-tags.state.ts';
import { filters } from '../filters/filters.state.ts';
import { followedTags } from '../followed-tags/followed-tags.state.ts';
import { imports } from '../imports/imports.state.ts';
import { listsOfAccount } from '../lists/lists.state.ts';
import { media } from '../media/media.state.ts';
import { notes } from '../notes/notes.state.ts';
import { notificationRequests } from '../notifications/notification-requests.state.ts';
import { notifications } from '../notifications/notifications.state.ts';
import { domainBlocks } from '../relationships/blocked-domains.state.ts';
import { blocks, mutes } from '../relationships/relationships.state.ts';
import { scheduledStatuses } from '../scheduled/scheduled.state.ts';
import { mutedThreads } from '../threads/threads.state.ts';

interface Removed {
  readonly space: Keyspace<[bigint, bigint], unknown>;
  /** `key`: the second part of the key of the entry. */
  messageOf(accountId: Id, key: Id, value: unknown): Envelope<unknown>;
}

function removed<Value>(
  space: Keyspace<[bigint, bigint], Value>,
  messageOf: (accountId: Id, key: Id, value: Value) => Envelope<unknown>,
): Removed {
  // The value is one of this keyspace.
  return { space, messageOf: (accountId, key, value) => messageOf(accountId, key, value as Value) };
}

export const removedLists: readonly Removed[] = [
  removed(bookmarks, (account, _key, { id: statusId }) => Account.unbookmark.to(account, { statusId })),
  removed(listsOfAccount, (account, listId) => Account.removeList.to(account, { listId })),
  removed(filters, (account, filterId) => Account.removeFilter.to(account, { filterId })),
  removed(scheduledStatuses, (account, scheduledId) => Account.unschedulePost.to(account, { scheduledId })),
  removed(conversations, (account, threadId) => Account.removeConversation.to(account, { threadId })),
  removed(blocks, (account, targetId) => Account.unblock.to(account, { targetId })),
  removed(mutes, (account, targetId) => Account.unmute.to(account, { targetId })),
  removed(followedTags, (account, _key, { name }) => Account.unfollowTag.to(account, { name })),
  removed(featuredTags, (account, _key, { name }) => Account.unfeatureTag.to(account, { name })),
  removed(domainBlocks, (account, _key, { domain }) => Account.unblockDomain.to(account, { domain })),
  removed(media, (account, mediaId) => Account.removeMedia.to(account, { mediaId })),
  removed(notes, (account, targetId) => Account.setNote.to(account, { targetId, comment: '' })),
  removed(notifications, (account, notificationId) => Account.dismissNotification.to(account, { notificationId })),
  removed(imports, (account, importId) => Account.importDue.to(account, { importId })),
  removed(mutedThreads, (account, threadId) => Account.unmuteThread.to(account, { threadId })),
  removed(notificationRequests, (account, requestId) =>
    Account.settleNotificationRequests.to(account, { requestIds: [requestId], isAccepted: false }),
  ),
  removed(emailSubscriptions, (account, subscriptionId) =>
    Account.endEmailSubscription.to(account, { subscriptionId }),
  ),
];

/** The next entries of a list; `last` is undefined where it ends. */
export function messagesOfList(
  turn: AccountTurn,
  { space, messageOf }: Removed,
  after: Id | undefined,
  limit: number,
): { readonly messages: readonly Envelope<unknown>[]; readonly last: Id | undefined } {
  const { key: accountId } = turn.self;
  const entries = [...turn.range(space, [accountId], { from: after === undefined ? undefined : after + 1n, limit })];
  return {
    messages: entries.map(({ key, value }) => messageOf(accountId, key[1], value)),
    last: entries.length < limit ? undefined : entries.at(-1)?.key[1],
  };
}
