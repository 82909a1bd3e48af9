/** The endpoints of scheduled statuses (behaviour of the Mastodon API); POST /api/v1/statuses creates them. */
import { z } from 'zod';
import { findMedia } from '../../../actors/account/media/media.queries.ts';
import { findScheduled, scheduledBy } from '../../../actors/account/scheduled/scheduled.queries.ts';
import type { ScheduledStatus } from '../../../actors/account/scheduled/scheduled.records.ts';
import { rescheduleStatus, unscheduleStatus } from '../../../operations/scheduled/change-scheduled.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { mediaEntity } from '../../entities/media-attachment.ts';
import { ScheduledStatusEntity, scheduledStatusEntity } from '../../entities/scheduled-status.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import type { UserGrant } from '../../http/grant.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { id, pageParameters, required, time } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';

/** Throws notFound for any but a scheduled status of the user. */
export function scheduledAnswer({ services, grant }: UserContext<GatewayServices>, scheduledId: Id): Answer {
  const scheduled = findScheduled(services.snapshots, grant.accountId, scheduledId);
  if (scheduled === undefined) throw new Failure('notFound');
  return json(scheduledEntity(services, grant, scheduled));
}

function scheduledEntity(services: GatewayServices, grant: UserGrant, scheduled: ScheduledStatus) {
  const attachments = (scheduled.post.mediaIds ?? []).flatMap((mediaId) => {
    const media = findMedia(services.snapshots, grant.accountId, mediaId);
    return media === undefined ? [] : [mediaEntity(media, services.addresses)];
  });
  return scheduledStatusEntity(scheduled, grant.dialect, attachments);
}

export const getScheduledStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object(pageParameters(20, 40)),
  summary: 'Lists the scheduled statuses of the user.',
  answer: z.array(ScheduledStatusEntity),
  handler({ services, grant, request }, given) {
    const page = scheduledBy(services.snapshots, grant.accountId, boundsOf(given));
    const headers = pageHeaders(request, page, given.limit, 'min_id');
    return json(
      page.items.map((scheduled) => scheduledEntity(services, grant, scheduled)),
      { headers },
    );
  },
});

export const getScheduledStatus = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses/:id',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'Returns a scheduled status of the user.',
  answer: ScheduledStatusEntity,
  handler: (context, given) => scheduledAnswer(context, given.id),
});

export const putScheduledStatus = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/scheduled_statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id, scheduled_at: required(time) }),
  summary: 'Reschedules a scheduled status.',
  answer: ScheduledStatusEntity,
  async handler(context, given) {
    await rescheduleStatus(context, { scheduledId: given.id, scheduledAt: given.scheduled_at });
    return scheduledAnswer(context, given.id);
  },
});

export const deleteScheduledStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/scheduled_statuses/:id',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({ id }),
  summary: 'Cancels a scheduled status.',
  answer: EmptyEntity,
  async handler(context, given) {
    await unscheduleStatus(context, { scheduledId: given.id });
    return empty();
  },
});

export const scheduledStatusEndpoints = [
  getScheduledStatuses,
  getScheduledStatus,
  putScheduledStatus,
  deleteScheduledStatus,
];
