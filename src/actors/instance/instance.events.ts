/** The events of settings that threads keep. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../runtime/events/event.ts';
import { cacheables } from '../cacheables.ts';

/** Others than before may read the public timelines. */
export const feedAccessChanged = eventType(85, 'feed access changed', z.object({}), () => [
  invalidation(cacheables.feedAccess, undefined),
]);

/** The server offers subscriptions by mail, or no longer: accounts look different, and whose is not known here. */
export const emailSubscriptionsChanged = eventType(87, 'subscriptions by mail offered or not', z.object({}), () => [
  invalidation(cacheables.emailSubscriptions, undefined),
  invalidation(cacheables.roles, undefined),
]);
