/** Events of media. Event numbers are append-only over all actors (1 to 39 are of accounts). */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { cacheables } from '../../cacheables.ts';
import { identifier } from '../account.records.ts';

/** An upload was decoded, or was refused: whoever uploads it waits for that. */
export const mediaProcessed = eventType(33, 'media processed', z.object({ mediaId: identifier }), ({ mediaId }) => [
  invalidation(cacheables.media, mediaId),
]);
