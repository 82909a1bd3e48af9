/** Markers: how far somebody has read a timeline. Message number 92. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { Markers } from './markers.records.ts';

const Move = z.object({
  lastReadId: identifier,
  /** The version that the writer has seen; 0 where there was none. */
  seenVersion: z.number(),
});

export const markerMessages = {
  /** Answers with the markers that were moved. */
  moveMarkers: call(92, z.object({ home: Move.optional(), notifications: Move.optional() }), Markers),
};
