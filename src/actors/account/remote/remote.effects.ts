/** The effects of remote accounts. Effect numbers are append-only over all actors: this file has 10 to 19. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';

export const RefreshRequest = z.object({ uri: z.string() });

/** Fetches the statuses that the account of this URI has pinned. What was found comes by `Account.receivePins`. */
export const fetchPins = effectType<z.infer<typeof RefreshRequest>, object>(11, 'fetch pins', RefreshRequest);

/** Fetches the collections of the account of this URI. What was found comes by `Account.receiveCollection`. */
export const fetchCollections = effectType<z.infer<typeof RefreshRequest>, object>(
  13,
  'fetch collections',
  RefreshRequest,
);

/** Fetches a status with a poll once more; the URI is that of the status. What was counted comes by `Account.receiveEdit`. */
export const fetchPoll = effectType<z.infer<typeof RefreshRequest>, object>(12, 'fetch poll', RefreshRequest);

/** Fetches the account from its server once more. What was learned comes by `Account.learn`, or `Account.remoteAccountDeleted`. */
export const refreshProfile = effectType<z.infer<typeof RefreshRequest>, object>(10, 'refresh profile', RefreshRequest);
