/** The event of settings that threads keep. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../runtime/events/event.ts';
import { cacheables } from '../cacheables.ts';

/** Others than before may read the public timelines. */
export const feedAccessChanged = eventType(85, 'feed access changed', z.object({}), () => [
  invalidation(cacheables.feedAccess, undefined),
]);
