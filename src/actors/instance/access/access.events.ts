/** The event of IP addresses that staff block. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';

export const addressBlockChanged = eventType(
  60,
  'address block changed',
  z.object({ range: z.string() }),
  ({ range }) => [invalidation(cacheables.addressBlock, range)],
);
