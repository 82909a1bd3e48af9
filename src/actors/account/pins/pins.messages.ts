/** Pinned statuses (specification 3: pin, unpin). Called on their author. Message numbers 110 to 113. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const pinMessages = {
  pin: call(110, z.object({ statusId: identifier }), Done),
  unpin: call(111, z.object({ statusId: identifier }), Done),
  /** Runs on a remote account: the statuses that its server shows as pinned, in order. */
  receivePins: call(112, z.object({ statusIds: z.array(identifier) }), Done),
  /**
   * Runs on a remote account: fetches its pins and featured tags from its server, unless that was done within this age.
   */
  refreshPins: call(113, z.object({ ageMilliseconds: z.number() }), Done),
};
