/** Every route outside of the REST API: OAuth pages, ActivityPub, the pages for browsers. */

import { activityPubRoutes } from './activitypub/activitypub.routes.ts';
import { bannerRoute } from './banner.ts';
import { mediaProxyRoute } from './files/media-proxy-route.ts';
import { mediaRoute } from './files/media-route.ts';
import type { GatewayServices } from './gateway-services.ts';
import { oauthRoutes } from './oauth/oauth.routes.ts';
import { collectionPage } from './pages/collections/collections-page.ts';
import { failedPage } from './pages/page-handler.ts';
import { profilePage } from './pages/profile-page.ts';
import { statusPage } from './pages/status-page.ts';
import { webRoutes } from './pages/web.routes.ts';
import type { RawRoute } from './route.ts';
import { selfCheckRoutes } from './self-check/self-check.routes.ts';

export const rawRoutes: readonly RawRoute<GatewayServices>[] = [
  ...activityPubRoutes({ profile: profilePage, status: statusPage, collection: collectionPage, failed: failedPage }),
  bannerRoute,
  mediaProxyRoute,
  mediaRoute,
  ...oauthRoutes,
  ...selfCheckRoutes,
  ...webRoutes,
];
