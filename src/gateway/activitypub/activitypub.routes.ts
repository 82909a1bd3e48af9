/** The routes of ActivityPub: documents and inboxes. */

import type { GatewayServices } from '../gateway-services.ts';
import type { RawRoute } from '../route.ts';
import { documentRoutes } from './documents.routes.ts';
import { inboxRoutes } from './inbox.routes.ts';
import type { Pages } from './pages.ts';

/** `pages` serves browsers, which use the same addresses as servers. */
export function activityPubRoutes(pages: Pages): readonly RawRoute<GatewayServices>[] {
  return [...documentRoutes(pages), ...inboxRoutes];
}
