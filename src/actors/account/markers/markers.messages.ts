/** Markers: the position up to which an account has read a timeline. Message number 92. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Markers } from './markers.records.ts';

const Move = z.object({
  lastReadId: identifier,
  /** The version that the client has seen; 0 for none. */
  seenVersion: z.number(),
});

export const markerMessages = {
  /** Replies with the markers that were moved. */
  moveMarkers: call(92, z.object({ home: Move.optional(), notifications: Move.optional() }), Markers),
};
