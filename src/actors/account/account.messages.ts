/**
 * The messages of an account: those of all its features. Numbers are unique over all of them, and never given twice: a
 * new one is above the highest in test/tidy/format/format.lock, or in what the header of its feature reserves.
 */
import { contract, joined } from '../../runtime/contract.ts';
import { accountKind } from '../kinds.ts';
import { announcementMessages } from './announcements/announcements.messages.ts';
import { bookmarkMessages } from './bookmarks/bookmarks.messages.ts';
import { cardMessages } from './cards/cards.messages.ts';
import { cleanupMessages } from './cleanup/cleanup.messages.ts';
import { collectionMessages } from './collections/collections.messages.ts';
import { conversationMessages } from './conversations/conversations.messages.ts';
import { domainBlockMessages } from './domain-blocks/domain-blocks.messages.ts';
import { emailSubscriptionMessages } from './email-subscriptions/email-subscriptions.messages.ts';
import { endorsementMessages } from './endorsements/endorsements.messages.ts';
import { featuredTagMessages } from './featured-tags/featured-tags.messages.ts';
import { filterMessages } from './filters/filters.messages.ts';
import { followedTagMessages } from './followed-tags/followed-tags.messages.ts';
import { importMessages } from './imports/imports.messages.ts';
import { interactionMessages } from './interactions/interactions.messages.ts';
import { leavingMessages } from './leaving/leaving.messages.ts';
import { listMessages } from './lists/lists.messages.ts';
import { localMessages } from './local/local.messages.ts';
import { mailMessages } from './mail/mail.messages.ts';
import { markerMessages } from './markers/markers.messages.ts';
import { mediaMessages } from './media/media.messages.ts';
import { mentionMessages } from './mentions/mentions.messages.ts';
import { moderationMessages } from './moderation/moderation.messages.ts';
import { movingMessages } from './moving/moving.messages.ts';
import { noteMessages } from './notes/notes.messages.ts';
import { notificationRequestMessages } from './notifications/notification-requests.messages.ts';
import { notificationMessages } from './notifications/notifications.messages.ts';
import { pinMessages } from './pins/pins.messages.ts';
import { pollMessages } from './polls/polls.messages.ts';
import { profileMessages } from './profile/profile.messages.ts';
import { pushMessages } from './push/push.messages.ts';
import { quoteMessages } from './quotes/quotes.messages.ts';
import { relationshipMessages } from './relationships/relationships.messages.ts';
import { remoteMessages } from './remote/remote.messages.ts';
import { replyRequestMessages } from './reply-requests/reply-requests.messages.ts';
import { reportMessages } from './reports/reports.messages.ts';
import { scheduledMessages } from './scheduled/scheduled.messages.ts';
import { severedMessages } from './severed/severed.messages.ts';
import { signInMessages } from './sign-ins/sign-ins.messages.ts';
import { statusMessages } from './statuses/statuses.messages.ts';
import { suggestionMessages } from './suggestions/suggestions.messages.ts';
import { threadMessages } from './threads/threads.messages.ts';
import { twoFactorMessages } from './two-factor/two-factor.messages.ts';
import { withdrawalMessages } from './withdrawals/withdrawals.messages.ts';

export const Account = contract(
  accountKind,
  joined(
    profileMessages,
    statusMessages,
    interactionMessages,
    relationshipMessages,
    notificationMessages,
    remoteMessages,
    bookmarkMessages,
    cardMessages,
    markerMessages,
    mediaMessages,
    pushMessages,
    pinMessages,
    filterMessages,
    noteMessages,
    endorsementMessages,
    domainBlockMessages,
    pollMessages,
    scheduledMessages,
    listMessages,
    followedTagMessages,
    threadMessages,
    conversationMessages,
    reportMessages,
    notificationRequestMessages,
    suggestionMessages,
    featuredTagMessages,
    movingMessages,
    announcementMessages,
    quoteMessages,
    replyRequestMessages,
    collectionMessages,
    severedMessages,
    mailMessages,
    localMessages,
    withdrawalMessages,
    mentionMessages,
    moderationMessages,
    signInMessages,
    twoFactorMessages,
    leavingMessages,
    importMessages,
    cleanupMessages,
    emailSubscriptionMessages,
  ),
);
