/** Announcements that an account has read. Message number 148. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';

export const announcementMessages = {
  /** `present`: the announcements that exist now; dismissals of others are deleted. */
  dismissAnnouncement: call(148, z.object({ announcementId: identifier, present: z.array(identifier) }), Done),
};
