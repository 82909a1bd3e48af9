/** Pinned statuses (specification 3: pin, unpin). Called on their author. Message numbers 110 to 113. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

/** `signedAt`: when the request of another server was signed, of whose account it is. */
const Pin = z.object({ statusId: identifier, signedAt: z.number().optional() });

export const pinMessages = {
  pin: call(110, Pin, Done),
  unpin: call(111, Pin, Done),
  /** Runs on a remote account: the statuses that its server shows as pinned, in order. */
  receivePins: call(112, z.object({ statusIds: z.array(identifier) }), Done),
  /**
   * Runs on a remote account: fetches its pins and featured tags from its server, and whether it hides its lists, unless
   * that was done within this age.
   */
  refreshPins: call(113, z.object({ ageMilliseconds: z.number() }), Done),
};
