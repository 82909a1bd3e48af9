/** Tags that an account follows. Message numbers 146 and 147. Names are normalised. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';

export const followedTagMessages = {
  followTag: call(146, z.object({ name: z.string() }), Done),
  unfollowTag: call(147, z.object({ name: z.string() }), Done),
};
