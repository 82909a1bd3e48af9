/** Events of the partition's own actor. Numbers 20 to 29, 57 and 83: append-only. */
import { z } from 'zod';
import { eventType } from '../../runtime/events/event.ts';
import { identifier } from '../account/account.records.ts';

/** The delivery log has grown up to this sequence. */
export const deliveryAppended = eventType(20, 'delivery appended', z.object({ sequence: z.number() }));

/** The push log has grown up to this sequence. */
export const pushAppended = eventType(24, 'push appended', z.object({ sequence: z.number() }));

/** The mail log has grown up to this sequence. */
export const mailAppended = eventType(57, 'mail appended', z.object({ sequence: z.number() }));

/** The webhook log has grown up to this sequence. */
export const webhookAppended = eventType(83, 'webhook appended', z.object({ sequence: z.number() }));

/** Informs all accounts of the partition about announcements. */
const AnnouncementNamed = z.object({ announcementId: identifier });
export const announced = eventType(21, 'announced', AnnouncementNamed);
export const announcementReacted = eventType(
  22,
  'announcement reacted',
  AnnouncementNamed.extend({ name: z.string(), count: z.number() }),
);
export const announcementWithdrawn = eventType(23, 'announcement withdrawn', AnnouncementNamed);
