/** What an account is told by mail. */
import { z } from 'zod';
import { flag } from './values.ts';

export const MailSettingsEntity = z.strictObject({
  /** Notifications are told even while a stream is open, or where push messages go. */
  always: flag,
  topics: z.strictObject({
    mention: flag,
    quote: flag,
    follow: flag,
    follow_request: flag,
    favourite: flag,
    reblog: flag,
    announcement: flag,
    /** Of staff. */
    'admin.report': flag.optional(),
    'admin.sign_up': flag.optional(),
    'admin.appeal': flag.optional(),
    'admin.trends': flag.optional(),
  }),
});
