/** The routes of ActivityPub: what other servers read, and where they bring what they have to say. */
import type { RawRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { documentRoutes } from './documents/documents.routes.ts';
import type { Pages } from './documents/pages.ts';
import { inboxRoutes } from './ingress/inbox.routes.ts';

/** `pages` serves browsers at the addresses that they share with servers. */
export function activityPubRoutes(pages: Pages): readonly RawRoute<Services>[] {
  return [...documentRoutes(pages), ...inboxRoutes];
}
