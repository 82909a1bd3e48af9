/** Every route that is not the REST API's: OAuth pages, ActivityPub, the pages for browsers. */
import { activityPubRoutes } from './activitypub/activitypub.routes.ts';
import { oauthRoutes } from './oauth/oauth.routes.ts';
import { instanceRoutes } from './rest/instance/instance.routes.ts';
import type { RawRoute } from './route.ts';
import type { Services } from './services.ts';
import { failedPage } from './web/page-handler.ts';
import { profilePage } from './web/profile-page.ts';
import { statusPage } from './web/status-page.ts';
import { webRoutes } from './web/web.routes.ts';

export const rawRoutes: readonly RawRoute<Services>[] = [
  ...activityPubRoutes({ profile: profilePage, status: statusPage, failed: failedPage }),
  ...instanceRoutes,
  ...oauthRoutes,
  ...webRoutes,
];
