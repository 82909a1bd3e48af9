/** The shape of markers. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

const Marker = z.object({ lastReadId: identifier, version: z.number(), updatedAt: z.number() });
export type Marker = z.infer<typeof Marker>;

export const timelinesWithMarkers = ['home', 'notifications'] as const;

export const Markers = z.object({ home: Marker.optional(), notifications: Marker.optional() });
export type Markers = z.infer<typeof Markers>;
