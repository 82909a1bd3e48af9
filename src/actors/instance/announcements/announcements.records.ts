/** What staff announce to everybody who has an account here. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { Mention } from '../../account/statuses/statuses.records.ts';

/** What staff write, rendered. Times in milliseconds since 1970. */
export const AnnouncementContent = z.object({
  /** As it was typed. */
  text: z.string(),
  html: z.string(),
  /** When what is announced begins and ends. At its end the announcement is withdrawn. */
  startsAt: z.number().optional(),
  endsAt: z.number().optional(),
  /** Whether only the dates of the two matter. */
  allDay: z.boolean(),
  mentions: z.array(Mention),
  /** Statuses for everybody to whose pages it links; a page of this server is kept as a path. */
  statuses: z.array(z.object({ id: identifier, url: z.string() })),
  /** By their names. */
  tags: z.array(z.string()),
});
export type AnnouncementContent = z.infer<typeof AnnouncementContent>;

export const Announcement = AnnouncementContent.extend({
  publishedAt: z.number(),
  updatedAt: z.number(),
  /** When streams were last told of reactions. */
  reactionsToldAt: z.number().optional(),
});
export type Announcement = z.infer<typeof Announcement>;

/** How often an announcement was reacted to in one way. */
export const ReactionCount = z.object({
  /** An emoji, or the shortcode of a custom one. */
  name: z.string(),
  count: z.number(),
  /** They are shown in the order in which they came. */
  firstAt: z.number(),
  /** What streams were told last. */
  told: z.number(),
});
export type ReactionCount = z.infer<typeof ReactionCount>;
