/** The entities Announcement and Reaction. */
import { z } from 'zod';
import type { AnnouncementView, ReactionView } from '../../operations/announcements/announcements.ts';
import type { Addresses } from '../../services/addresses.ts';
import { ownEmoji } from '../../services/media/shown-pictures.ts';
import { EmojiEntity, storedEmojiEntity } from './emoji.ts';
import { count, flag, id, text, time, timestamp, url } from './values.ts';

const ReactionEntity = z
  .strictObject({ name: text.min(1), count, me: flag.optional(), url: url.optional(), static_url: url.optional() })
  .meta({ id: 'Reaction' });

export const AnnouncementEntity = z
  .strictObject({
    id,
    content: text,
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    all_day: flag,
    published_at: time,
    updated_at: time,
    read: flag.optional(),
    mentions: z.array(z.strictObject({ id, username: text, url, acct: text })),
    statuses: z.array(z.strictObject({ id, url })),
    tags: z.array(z.strictObject({ name: text.min(1), url })),
    emojis: z.array(EmojiEntity),
    reactions: z.array(ReactionEntity),
  })
  .meta({ id: 'Announcement' });
export type AnnouncementEntity = z.output<typeof AnnouncementEntity>;

/** With the viewer's state for a viewer; on streams the same for everybody. */
export function announcementEntity(
  view: AnnouncementView,
  addresses: Addresses,
  isPersonal: boolean,
): AnnouncementEntity {
  return {
    id: view.id.toString(),
    content: addresses.absoluteLinks(view.html),
    starts_at: view.startsAt === undefined ? null : timestamp(view.startsAt),
    ends_at: view.endsAt === undefined ? null : timestamp(view.endsAt),
    all_day: view.allDay,
    published_at: timestamp(view.publishedAt),
    updated_at: timestamp(view.updatedAt),
    ...(isPersonal && { read: view.isRead }),
    mentions: view.mentions.map(({ id: accountId, username, url: page, acct }) => ({
      id: accountId.toString(),
      username,
      url: addresses.absolute(page),
      acct,
    })),
    statuses: view.statuses.map(({ id: statusId, url: page }) => ({
      id: statusId.toString(),
      url: addresses.absolute(page),
    })),
    tags: view.tags.map((name) => ({ name, url: addresses.tag(name) })),
    emojis: view.emojis.map((emoji) => storedEmojiEntity(emoji, addresses)),
    reactions: view.reactions.map((reaction) => reactionEntity(reaction, addresses, isPersonal)),
  };
}

function reactionEntity(
  { name, count: counted, emoji, isMine }: ReactionView,
  addresses: Addresses,
  isPersonal: boolean,
) {
  const picture = emoji && ownEmoji(addresses, emoji);
  return {
    name,
    count: counted,
    ...(isPersonal && { me: isMine }),
    ...(picture !== undefined && { url: picture.address, static_url: picture.still }),
  };
}
