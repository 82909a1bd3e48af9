/** The Marker entity, and the object with those that were requested. */
import { z } from 'zod';
import type { Marker, Markers } from '../../actors/account/markers/markers.records.ts';
import { count, time } from './values.ts';

const MarkerEntity = z
  .strictObject({ last_read_id: z.string().regex(/^[0-9]{1,19}$/), version: count, updated_at: time })
  .meta({ id: 'Marker' });

export const MarkersEntity = z
  .strictObject({ home: MarkerEntity.optional(), notifications: MarkerEntity.optional() })
  .meta({ id: 'Markers' });

export function markersEntity(markers: Markers): z.infer<typeof MarkersEntity> {
  const entities = Object.entries(markers).flatMap(([timeline, marker]) =>
    marker === undefined ? [] : [[timeline, markerEntity(marker)] as const],
  );
  return Object.fromEntries(entities);
}

function markerEntity({ lastReadId, version, updatedAt }: Marker): z.infer<typeof MarkerEntity> {
  return { last_read_id: lastReadId.toString(), version, updated_at: new Date(updatedAt).toISOString() };
}
