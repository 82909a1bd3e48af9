/** Every endpoint of the REST API and of OAuth: the registry from which routing and the API document derive. */

import type { Services } from '../../services/services.ts';
import { oauthEndpoints } from '../oauth/oauth.endpoints.ts';
import type { Endpoint } from '../route.ts';
import { accountDeletionEndpoints } from './account-deletion/account-deletion.endpoints.ts';
import { accountsEndpoints } from './accounts/accounts.endpoints.ts';
import { accountStatusEndpoints } from './accounts-statuses/accounts-statuses.endpoints.ts';
import { adminEndpoints } from './admin/admin.endpoints.ts';
import { announcementEndpoints } from './announcements/announcements.endpoints.ts';
import { annualReportEndpoints } from './annual-reports/annual-reports.endpoints.ts';
import { appsEndpoints } from './apps/apps.endpoints.ts';
import { asyncRefreshEndpoints } from './async-refreshes/async-refreshes.endpoints.ts';
import { bookmarkEndpoints } from './bookmarks/bookmarks.endpoints.ts';
import { collectionEndpoints } from './collections/collections.endpoints.ts';
import { conversationEndpoints } from './conversations/conversations.endpoints.ts';
import { domainBlockEndpoints } from './domain-blocks/domain-blocks.endpoints.ts';
import { emailEndpoints } from './emails/emails.endpoints.ts';
import { endorsementEndpoints } from './endorsements/endorsements.endpoints.ts';
import { featuredTagEndpoints } from './featured-tags/featured-tags.endpoints.ts';
import { filterEndpoints } from './filters/filters.endpoints.ts';
import { instanceEndpoints } from './instance/instance.endpoints.ts';
import { interactionRequestEndpoints } from './interaction-requests/interaction-requests.endpoints.ts';
import { interactionEndpoints } from './interactions/interactions.endpoints.ts';
import { inviteEndpoints } from './invites/invites.endpoints.ts';
import { listEndpoints } from './lists/lists.endpoints.ts';
import { mailSettingsEndpoints } from './mail-settings/mail-settings.endpoints.ts';
import { markerEndpoints } from './markers/markers.endpoints.ts';
import { mediaEndpoints } from './media/media.endpoints.ts';
import { notificationEndpoints } from './notifications/notifications.endpoints.ts';
import { oembedEndpoints } from './oembed/oembed.endpoints.ts';
import { ownDataEndpoints } from './own-data/own-data.endpoints.ts';
import { pinEndpoints } from './pins/pins.endpoints.ts';
import { pollEndpoints } from './polls/polls.endpoints.ts';
import { profileEndpoints } from './profile/profile.endpoints.ts';
import { pushEndpoints } from './push/push.endpoints.ts';
import { quoteEndpoints } from './quotes/quotes.endpoints.ts';
import { registrationEndpoints } from './registration/registration.endpoints.ts';
import { removedEndpoints } from './removed.endpoints.ts';
import { reportEndpoints } from './reports/reports.endpoints.ts';
import { scheduledStatusEndpoints } from './scheduled-statuses/scheduled-statuses.endpoints.ts';
import { searchEndpoints } from './search/search.endpoints.ts';
import { severedEndpoints } from './severed/severed.endpoints.ts';
import { statusEndpoints } from './statuses/statuses.endpoints.ts';
import { strikeEndpoints } from './strikes/strikes.endpoints.ts';
import { suggestionEndpoints } from './suggestions/suggestions.endpoints.ts';
import { tagEndpoints } from './tags/tags.endpoints.ts';
import { timelineEndpoints } from './timelines/timelines.endpoints.ts';
import { translationEndpoints } from './translation/translation.endpoints.ts';
import { trendEndpoints } from './trends/trends.endpoints.ts';

export const endpoints: readonly Endpoint<Services>[] = [
  ...accountsEndpoints,
  ...accountStatusEndpoints,
  ...adminEndpoints,
  ...announcementEndpoints,
  ...annualReportEndpoints,
  ...asyncRefreshEndpoints,
  ...emailEndpoints,
  ...mailSettingsEndpoints,
  ...accountDeletionEndpoints,
  ...ownDataEndpoints,
  ...oembedEndpoints,
  ...appsEndpoints,
  ...bookmarkEndpoints,
  ...domainBlockEndpoints,
  ...endorsementEndpoints,
  ...featuredTagEndpoints,
  ...filterEndpoints,
  ...conversationEndpoints,
  ...instanceEndpoints,
  ...interactionEndpoints,
  ...interactionRequestEndpoints,
  ...inviteEndpoints,
  ...listEndpoints,
  ...collectionEndpoints,
  ...markerEndpoints,
  ...mediaEndpoints,
  ...notificationEndpoints,
  ...oauthEndpoints,
  ...pinEndpoints,
  ...pollEndpoints,
  ...profileEndpoints,
  ...pushEndpoints,
  ...quoteEndpoints,
  ...registrationEndpoints,
  ...removedEndpoints,
  ...reportEndpoints,
  ...searchEndpoints,
  ...scheduledStatusEndpoints,
  ...severedEndpoints,
  ...statusEndpoints,
  ...strikeEndpoints,
  ...suggestionEndpoints,
  ...tagEndpoints,
  ...timelineEndpoints,
  ...translationEndpoints,
  ...trendEndpoints,
];
