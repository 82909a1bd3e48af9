/**
 * The pages for browsers, and their forms. Those of accounts and posts (profilePage, statusPage) are served by the
 * routes that choose between a page and an activity; liveRoute needs the hub of streams, which is created at
 * composition.
 */

import type { GatewayServices } from '../gateway-services.ts';
import type { RawRoute } from '../route.ts';
import { aboutPage, privacyPage, termsPage } from './about-page.ts';
import { actRoutes } from './actions.ts';
import { adminRoutes } from './admin/admin.routes.ts';
import { announcementsPage } from './announcements-page.ts';
import { manifestRoute } from './app/manifest.ts';
import { offlinePage } from './app/offline-page.ts';
import { workerRoute } from './app/worker.ts';
import { assetRoutes } from './assets.ts';
import { collectionForms } from './collections/collection-forms.ts';
import { collectionsPage } from './collections/collections-page.ts';
import { embedPage } from './embed-page.ts';
import { explorePages } from './explore-page.ts';
import { filteredPostRoutes } from './filters/filtered-post-page.ts';
import { filterRoutes } from './filters/filters-page.ts';
import { findPage } from './find-page.ts';
import { followLanguagesForm, followLanguagesPage } from './follow-languages-page.ts';
import { followedTagsPage, followTagForms } from './followed-tags.ts';
import { formsByHand } from './forms-by-hand.ts';
import { frontPage } from './front-page.ts';
import { hiddenServersPage, hidingServerPage, serverForms } from './hidden-servers.ts';
import { historyPage } from './history-page.ts';
import { readHomeForm } from './home-page.ts';
import { inviteRoutes } from './invites/invites-page.ts';
import { bookmarksPage, favouritesPage } from './kept-posts-page.ts';
import { limitedServersPage, limitedServersPath } from './limited-servers-page.ts';
import { linkPage } from './link-page.ts';
import { listRoutes } from './lists/lists.routes.ts';
import { mutePage } from './mute-page.ts';
import { conversationForms, conversationsPage } from './notifications/conversations-page.ts';
import {
  notificationRequestForms,
  notificationRequestPage,
  notificationRequestsPage,
} from './notifications/notification-requests-page.ts';
import { notificationWay } from './notifications/notification-way.ts';
import {
  clearNotificationsForm,
  dismissNotificationForm,
  mentionsPage,
  notificationsPage,
  readNotificationsForm,
} from './notifications/notifications-page.ts';
import { waitingRepliesPage } from './notifications/waiting-replies-page.ts';
import { appealForm, warningPage, warningsPage } from './notifications/warning-page.ts';
import { pageRoute } from './page-handler.ts';
import { hidingPath } from './parts/links.ts';
import { featuredPage, followersPage, followingPage, ownListPages } from './people-page.ts';
import { taggedPage } from './profile-page.ts';
import { localPage, publicPage, remotePage } from './public-page.ts';
import { favouritersPage, rebloggersPage } from './reactions-page.ts';
import { relayPage, relayStatusRoute } from './relay-page.ts';
import { reportForm, reportPage } from './report-page.ts';
import { appPage, enableAppForm } from './settings/app-page.ts';
import { cleanupRoutes } from './settings/cleanup-page.ts';
import { deletionForms, deletionPage } from './settings/deletion-page.ts';
import { exportRoutes } from './settings/export-page.ts';
import { featureTagRoutes } from './settings/feature-tags.ts';
import { importRoutes } from './settings/import-page.ts';
import { changeEmailSubscriptionsForm, changeMailsForm, mailsPage } from './settings/mails-page.ts';
import { movingPage, movingRoutes } from './settings/moving-page.ts';
import { passkeyForms, passkeyPage } from './settings/passkey-page.ts';
import { changePicturesForm } from './settings/pictures-form.ts';
import { changePreferencesForm, preferencesPage } from './settings/preferences-page.ts';
import { pushForms, pushPage } from './settings/push-page.ts';
import { reportsPage } from './settings/reports-page.ts';
import { securityForms } from './settings/security-forms.ts';
import { securityPage } from './settings/security-page.ts';
import { sessionsPage } from './settings/sessions-page.ts';
import { changeEmailForm, changePasswordForm, changeProfileForm } from './settings/settings-forms.ts';
import { settingsPage } from './settings/settings-page.ts';
import { signOutRoutes } from './settings/sign-out-elsewhere.ts';
import { tagPage } from './tag-page.ts';
import { translateForm } from './translated-page.ts';
import { waysIn } from './ways-in.ts';
import { completionsPage } from './writing/completions.ts';
import { editStatusForm, editStatusPage } from './writing/edit-status.ts';
import { emojisPage } from './writing/emojis-page.ts';
import { mediaForms } from './writing/media-forms.ts';
import { quotePage, quotesPage } from './writing/quote-page.ts';
import { redraftForm } from './writing/redraft.ts';
import { scheduledForms, scheduledPage } from './writing/scheduled-page.ts';
import { sharePage } from './writing/share-page.ts';
import { writeStatus } from './writing/write-status.ts';

export const webRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute('/', frontPage),
  pageRoute('/about', aboutPage),
  pageRoute(limitedServersPath, limitedServersPage),
  pageRoute('/announcements', announcementsPage),
  pageRoute('/relay/status', relayPage),
  relayStatusRoute,
  manifestRoute,
  workerRoute,
  pageRoute('/offline', offlinePage),
  pageRoute('/privacy-policy', privacyPage),
  pageRoute('/terms-of-service', termsPage),
  ...waysIn,
  ...formsByHand,
  pageRoute('/public/local', localPage),
  pageRoute('/public/remote', remotePage),
  pageRoute('/public/link', linkPage),
  pageRoute('/public', publicPage),
  ...explorePages.map(({ path, show }) => pageRoute(path, show)),
  pageRoute('/notifications', notificationsPage),
  pageRoute('/notifications/mentions', mentionsPage),
  pageRoute('/notifications/requests', notificationRequestsPage),
  pageRoute('/notifications/replies', waitingRepliesPage),
  pageRoute('/notifications/requests/:id', notificationRequestPage),
  pageRoute('/disputes/strikes', warningsPage),
  pageRoute('/disputes/strikes/:id', warningPage),
  pageRoute('/conversations', conversationsPage),
  pageRoute('/followed_tags', followedTagsPage),
  pageRoute('/domain_blocks', hiddenServersPage),
  pageRoute(hidingPath, hidingServerPage),
  pageRoute('/settings', settingsPage),
  pageRoute('/settings/delete', deletionPage),
  pageRoute('/settings/mails', mailsPage),
  pageRoute('/settings/moving', movingPage),
  pageRoute('/settings/preferences', preferencesPage),
  pageRoute('/settings/push', pushPage),
  pageRoute('/settings/reports', reportsPage),
  pageRoute('/settings/security', securityPage),
  pageRoute('/settings/sessions', sessionsPage),
  pageRoute('/settings/security/app', appPage),
  pageRoute('/settings/security/passkeys/:id', passkeyPage),
  pageRoute('/share', sharePage),
  pageRoute('/scheduled', scheduledPage),
  pageRoute('/bookmarks', bookmarksPage),
  pageRoute('/favourites', favouritesPage),
  pageRoute('/collections', collectionsPage),
  pageRoute('/@:name/:id/embed', embedPage),
  pageRoute('/@:name/:id/quotes', quotesPage),
  pageRoute('/@:name/:id/favourites', favouritersPage),
  pageRoute('/@:name/:id/reblogs', rebloggersPage),
  pageRoute('/@:name/:id/history', historyPage, 'api'),
  pageRoute('/@:name/followers', followersPage),
  pageRoute('/@:name/following', followingPage),
  pageRoute('/@:name/endorsements', featuredPage),
  pageRoute('/@:name/tagged/:tag', taggedPage),
  ...ownListPages.map(({ path, show }) => pageRoute(path, show)),
  pageRoute('/tags/:name', tagPage),
  pageRoute('/web/find', findPage, 'api'),
  pageRoute('/web/notifications/:id', notificationWay),
  pageRoute('/web/completions', completionsPage, 'api'),
  pageRoute('/web/emojis', emojisPage, 'api'),
  pageRoute('/web/statuses/:id/edit', editStatusPage),
  pageRoute('/web/statuses/:id/quote', quotePage),
  pageRoute('/web/accounts/:id/mute', mutePage),
  pageRoute('/web/accounts/:id/languages', followLanguagesPage),
  pageRoute('/web/accounts/:id/report', reportPage),
  readNotificationsForm,
  clearNotificationsForm,
  dismissNotificationForm,
  appealForm,
  ...notificationRequestForms,
  ...inviteRoutes,
  ...listRoutes,
  ...conversationForms,
  ...filterRoutes,
  ...filteredPostRoutes,
  ...followTagForms,
  ...serverForms,
  writeStatus,
  ...mediaForms,
  ...scheduledForms,
  editStatusForm,
  redraftForm,
  translateForm,
  reportForm,
  followLanguagesForm,
  readHomeForm,
  changeProfileForm,
  changePicturesForm,
  changePasswordForm,
  changeEmailForm,
  changeMailsForm,
  changePreferencesForm,
  changeEmailSubscriptionsForm,
  ...pushForms,
  enableAppForm,
  ...securityForms,
  ...passkeyForms,
  ...movingRoutes,
  ...deletionForms,
  ...exportRoutes,
  ...importRoutes,
  ...cleanupRoutes,
  ...featureTagRoutes,
  ...collectionForms,
  ...signOutRoutes,
  ...adminRoutes,
  ...actRoutes,
  ...assetRoutes,
];
