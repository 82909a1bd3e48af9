/** Every route that is not the REST API's: OAuth pages, ActivityPub, the pages for browsers. */
import { oauthRoutes } from './oauth/oauth.routes.ts';
import { instanceRoutes } from './rest/instance/instance.routes.ts';
import type { RawRoute } from './route.ts';
import type { Services } from './services.ts';

export const rawRoutes: readonly RawRoute<Services>[] = [...instanceRoutes, ...oauthRoutes];
