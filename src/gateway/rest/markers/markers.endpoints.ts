/** The endpoints of markers (behaviour of the Mastodon API): how far the user has read, shared by all clients. */
import { z } from 'zod';
import { markersOf } from '../../../actors/account/markers/markers.queries.ts';
import { moveMarkers } from '../../../operations/notifications/move-markers.ts';
import { MarkersEntity, markersEntity } from '../../entities/marker.ts';
import { json } from '../../http/answers.ts';
import { group, readUpTo, required, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

export const getMarkers = endpoint({
  method: 'GET',
  path: '/api/v1/markers',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object({ timeline: wordList }),
  summary: 'Returns the markers of the given timelines.',
  answer: MarkersEntity,
  handler({ services, grant }, { timeline: asked = [] }) {
    const { home, notifications } = markersOf(services.snapshots, grant.accountId);
    return json(
      markersEntity({
        home: asked.includes('home') ? home : undefined,
        notifications: asked.includes('notifications') ? notifications : undefined,
      }),
    );
  },
});

const marker = group({ last_read_id: required(readUpTo) });

export const postMarkers = endpoint({
  method: 'POST',
  path: '/api/v1/markers',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ home: marker, notifications: marker }),
  summary: 'Sets markers; 409 if another client has moved one meanwhile.',
  answer: MarkersEntity,
  handler: async (context, { home, notifications }) =>
    json(
      markersEntity(
        await moveMarkers(context, { home: home?.last_read_id, notifications: notifications?.last_read_id }),
      ),
    ),
});

export const markerEndpoints = [getMarkers, postMarkers];
