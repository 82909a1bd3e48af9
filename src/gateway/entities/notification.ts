/** The Notification entity, assembled from encoded accounts and statuses. */

import { z } from 'zod';
import type { ShownNotification } from '../../operations/presentation/shown-notification.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Addresses } from '../../services/addresses.ts';
import { AccountEntity } from './account.ts';
import { AccountWarningEntity, accountWarning } from './account-warning.ts';
import { CollectionEntity, collectionEntity } from './collection.ts';
import type { EntityForms } from './encodable-status.ts';
import { accountOf, appendAuthor } from './encoded-account.ts';
import { appendStatus } from './encoded-status.ts';
import {
  NotificationFallbackEntity,
  needsFallback,
  notificationFallback,
  type SupportedTypes,
} from './notification-fallback.ts';
import type { PageBuffer } from './page-buffer.ts';
import { ReportEntity, reportEntity } from './report.ts';
import { SeveranceEventEntity, severanceEvent } from './severance.ts';
import { UserStatusEntity } from './status-schema.ts';
import { id, text, time, timestamp } from './values.ts';

const notificationFields = {
  id,
  group_key: text.min(1),
  created_at: time,
  account: AccountEntity,
  /** Only for types that the client does not know. */
  fallback: NotificationFallbackEntity.optional(),
  /** Absent unless filtered. */
  filtered: z.literal(true).optional(),
};

/**
 * Present only for a notification about a status; the same for a collection, a report, a warning, and the event of
 * severed relationships.
 */
export const NotificationEntity = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['follow', 'follow_request', 'admin.sign_up']), ...notificationFields }),
    z.strictObject({
      type: z.enum(['mention', 'status', 'reblog', 'favourite', 'poll', 'update', 'quote', 'quoted_update']),
      ...notificationFields,
      status: UserStatusEntity,
    }),
    z.strictObject({
      type: z.literal('severed_relationships'),
      ...notificationFields,
      event: SeveranceEventEntity,
    }),
    z.strictObject({
      type: z.enum(['added_to_collection', 'collection_update']),
      ...notificationFields,
      collection: CollectionEntity,
    }),
    z.strictObject({ type: z.literal('admin.report'), ...notificationFields, report: ReportEntity }),
    z.strictObject({
      type: z.literal('moderation_warning'),
      ...notificationFields,
      moderation_warning: AccountWarningEntity,
    }),
  ])
  .meta({ id: 'Notification' });

const colon = 0x3a;
const closingBrace = 0x7d;

export type EncodableNotification = ShownNotification<EntityForms>;

/** The encoded part between the account, with which the entity begins as a status does, and the status. */
function encodeFields({ id, notification, isFiltered, groupKey }: EncodableNotification['known']): Buffer {
  const { type, createdAt, statusId } = notification;
  const event = severanceEvent(id, notification);
  return keptText(
    `,"id":"${id}","type":"${type}","group_key":"${groupKey}","created_at":"${timestamp(createdAt)}"` +
      `${isFiltered ? ',"filtered":true' : ''}` +
      `${event === undefined ? '' : `,"event":${JSON.stringify(event)}`}` +
      `${statusId === undefined ? '' : ',"status"'}`,
  );
}

/** Appends a comma and the entity. */
export function appendNotification(
  buffer: PageBuffer,
  { known, notification, from, status, collection, report }: EncodableNotification,
  addresses: Addresses,
  supported: SupportedTypes,
): void {
  appendAuthor(buffer, from);
  known.encoded ??= encodeFields(known);
  buffer.append(known.encoded);
  if (status !== undefined) {
    const separator = buffer.length;
    appendStatus(buffer, status);
    buffer.overwrite(separator, colon);
  }
  if (collection !== undefined)
    buffer.append(Buffer.from(`,"collection":${JSON.stringify(collectionEntity(collection, addresses))}`));
  if (report !== undefined) buffer.append(Buffer.from(`,"report":${JSON.stringify(reportEntity(report, addresses))}`));
  const warning = accountWarning(known.id, notification, () => accountOf(from));
  if (warning !== undefined) buffer.append(Buffer.from(`,"moderation_warning":${JSON.stringify(warning)}`));
  if (needsFallback(notification.type, supported)) {
    const about = { notification, others: 0, ...(collection && { collection }), ...(report && { report }) };
    const fallback = notificationFallback(about, supported, () => accountOf(from), addresses);
    if (fallback !== undefined) buffer.append(Buffer.from(`,"fallback":${JSON.stringify(fallback)}`));
  }
  buffer.appendByte(closingBrace);
}
