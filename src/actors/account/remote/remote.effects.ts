/** The effects of remote accounts. Effect numbers are append-only over all actors: this file has 10 to 19. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';

export const RefreshRequest = z.object({ uri: z.string() });

/** Fetches the statuses that the account with this URI has pinned. They arrive as `Account.receivePins`. */
export const fetchPins = effectType<z.infer<typeof RefreshRequest>, object>(11, 'fetch pins', RefreshRequest);

/** Fetches the collections of the account with this URI. They arrive as `Account.receiveCollection`. */
export const fetchCollections = effectType<z.infer<typeof RefreshRequest>, object>(
  13,
  'fetch collections',
  RefreshRequest,
);

/** Fetches a status with a poll again; the URI is that of the status. The totals arrive as `Account.receiveStatusEdit`. */
export const fetchPoll = effectType<z.infer<typeof RefreshRequest>, object>(12, 'fetch poll', RefreshRequest);

/** Fetches the account again. The result arrives as `Account.learnProfile` or `Account.remoteAccountDeleted`. */
export const refreshProfile = effectType<z.infer<typeof RefreshRequest>, object>(10, 'refresh profile', RefreshRequest);

const FollowersRequest = RefreshRequest.extend({ url: z.string() });

/** Fetches who of this server follows the account, as its server has it. They arrive as `Account.receiveFollowers`. */
export const fetchFollowers = effectType<z.infer<typeof FollowersRequest>, object>(
  14,
  'fetch followers',
  FollowersRequest,
);
