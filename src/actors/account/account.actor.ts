/** The account actor: the handlers of all its features, the keyspaces of their state, and the rules between those. */
import { implement, joined } from '../../runtime/contract.ts';
import { Account } from './account.messages.ts';
import type { AccountTurn } from './account.turn.ts';
import { announcementsFeature } from './announcements/announcements.actor.ts';
import { bookmarksFeature } from './bookmarks/bookmarks.actor.ts';
import { cardsFeature } from './cards/cards.actor.ts';
import { cleanupFeature } from './cleanup/cleanup.actor.ts';
import { collectionsFeature } from './collections/collections.actor.ts';
import { conversationsFeature } from './conversations/conversations.actor.ts';
import { domainBlocksFeature } from './domain-blocks/domain-blocks.actor.ts';
import { emailSubscriptionsFeature } from './email-subscriptions/email-subscriptions.actor.ts';
import { endorsementsFeature } from './endorsements/endorsements.actor.ts';
import { featuredTagsFeature } from './featured-tags/featured-tags.actor.ts';
import { filtersFeature } from './filters/filters.actor.ts';
import { followedTagsFeature } from './followed-tags/followed-tags.actor.ts';
import { importsFeature } from './imports/imports.actor.ts';
import { interactionsFeature } from './interactions/interactions.actor.ts';
import { leavingFeature } from './leaving/leaving.actor.ts';
import { listsFeature } from './lists/lists.actor.ts';
import { localFeature } from './local/local.actor.ts';
import { localBoundRules } from './local-bounds.rules.ts';
import { mailFeature } from './mail/mail.actor.ts';
import { markersFeature } from './markers/markers.actor.ts';
import { mediaFeature } from './media/media.actor.ts';
import { mentionsFeature } from './mentions/mentions.actor.ts';
import { moderationFeature } from './moderation/moderation.actor.ts';
import { movingFeature } from './moving/moving.actor.ts';
import { notesFeature } from './notes/notes.actor.ts';
import { notificationRequestsFeature } from './notifications/notification-requests.actor.ts';
import { notificationsFeature } from './notifications/notifications.actor.ts';
import { pinsFeature } from './pins/pins.actor.ts';
import { pollsFeature } from './polls/polls.actor.ts';
import { profileFeature } from './profile/profile.actor.ts';
import { pushFeature } from './push/push.actor.ts';
import { quotesFeature } from './quotes/quotes.actor.ts';
import { relationshipsFeature } from './relationships/relationships.actor.ts';
import { remoteFeature } from './remote/remote.actor.ts';
import { replyRequestsFeature } from './reply-requests/reply-requests.actor.ts';
import { reportsFeature } from './reports/reports.actor.ts';
import { scheduledFeature } from './scheduled/scheduled.actor.ts';
import { searchRules } from './search.rules.ts';
import { severedFeature } from './severed/severed.actor.ts';
import { signInsFeature } from './sign-ins/sign-ins.actor.ts';
import { statusesFeature } from './statuses/statuses.actor.ts';
import { suggestionsFeature } from './suggestions/suggestions.actor.ts';
import { threadsFeature } from './threads/threads.actor.ts';
import { twoFactorFeature } from './two-factor/two-factor.actor.ts';
import { withdrawalsFeature } from './withdrawals/withdrawals.actor.ts';

const features = [
  profileFeature,
  localFeature,
  statusesFeature,
  interactionsFeature,
  relationshipsFeature,
  notificationsFeature,
  remoteFeature,
  bookmarksFeature,
  cardsFeature,
  markersFeature,
  mediaFeature,
  pushFeature,
  pinsFeature,
  filtersFeature,
  notesFeature,
  endorsementsFeature,
  domainBlocksFeature,
  pollsFeature,
  scheduledFeature,
  listsFeature,
  followedTagsFeature,
  threadsFeature,
  conversationsFeature,
  reportsFeature,
  notificationRequestsFeature,
  suggestionsFeature,
  featuredTagsFeature,
  movingFeature,
  announcementsFeature,
  quotesFeature,
  replyRequestsFeature,
  collectionsFeature,
  severedFeature,
  mailFeature,
  withdrawalsFeature,
  mentionsFeature,
  moderationFeature,
  signInsFeature,
  twoFactorFeature,
  leavingFeature,
  importsFeature,
  cleanupFeature,
  emailSubscriptionsFeature,
];

export const accountActor = implement<AccountTurn>()(Account, joined(...features.map(({ handlers }) => handlers)));

export const accountKeyspaces = features.flatMap(({ keyspaces }) => keyspaces);

export const accountRules = [...features.flatMap(({ rules }) => rules), ...searchRules, ...localBoundRules];
