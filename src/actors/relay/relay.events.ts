/** Events of the relay. Numbers 70 to 74: append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../runtime/events/event.ts';
import { cacheables } from '../cacheables.ts';

/** The log of the relay has grown up to this sequence. */
export const relayAppended = eventType(70, 'relay appended', z.object({ sequence: z.number() }));

/** A relay of others was joined or left, or has answered. */
export const joinedRelaysChanged = eventType(72, 'joined relays changed', z.object({}), () => [
  invalidation(cacheables.joinedRelays, undefined),
]);

/** The subscription of a server has begun, changed or ended. */
export const subscriptionChanged = eventType(71, 'subscription changed', z.object({ host: z.string() }), ({ host }) => [
  invalidation(cacheables.relaySubscription, host),
]);
