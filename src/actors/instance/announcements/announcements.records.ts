/** Records of announcements by staff to all local accounts. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { Mention } from '../../account/statuses/statuses.records.ts';

/** An announcement as rendered. Times are milliseconds since 1970. */
export const AnnouncementContent = z.object({
  /** As typed. */
  text: z.string(),
  html: z.string(),
  /** Begin and end of the announced event. At the end the announcement is withdrawn. */
  startsAt: z.number().optional(),
  endsAt: z.number().optional(),
  /** Whether only the dates of the two matter. */
  allDay: z.boolean(),
  mentions: z.array(Mention),
  /** Public and unlisted statuses that it links to; addresses of this server are stored as paths. */
  statuses: z.array(z.object({ id: identifier, url: z.string() })),
  /** Tag names. */
  tags: z.array(z.string()),
});
export type AnnouncementContent = z.infer<typeof AnnouncementContent>;

export const Announcement = AnnouncementContent.extend({
  publishedAt: z.number(),
  updatedAt: z.number(),
  /** When streams were last informed of reactions. */
  reactionsToldAt: z.number().optional(),
  /** When staff had it sent by mail. */
  mailedAt: z.number().optional(),
});
export type Announcement = z.infer<typeof Announcement>;

/** The number of reactions of one kind to an announcement. */
export const ReactionCount = z.object({
  /** An emoji, or the shortcode of a custom one. */
  name: z.string(),
  count: z.number(),
  /** Reactions are shown in this order. */
  firstAt: z.number(),
  /** The count that streams were last sent. */
  told: z.number(),
});
export type ReactionCount = z.infer<typeof ReactionCount>;
