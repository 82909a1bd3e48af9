/** Announcements as a viewer sees them. */
import { hasDismissed } from '../../actors/account/announcements/announcements.queries.ts';
import {
  findAnnouncement,
  hasReacted,
  listAnnouncements,
  reactionsTo,
} from '../../actors/instance/announcements/announcements.queries.ts';
import type { Announcement } from '../../actors/instance/announcements/announcements.records.ts';
import { listCustomEmojis, type StoredEmoji } from '../../actors/instance/instance.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

export interface ReactionView {
  readonly name: string;
  readonly count: number;
  /** For a custom emoji of this server. */
  readonly emoji: StoredEmoji | undefined;
  /** Whether the viewer reacted with it. */
  readonly isMine: boolean;
}

export interface AnnouncementView extends Announcement {
  readonly id: Id;
  /** Whether the viewer has dismissed it. */
  readonly isRead: boolean;
  /** Custom emojis in its text. */
  readonly emojis: readonly StoredEmoji[];
  readonly reactions: readonly ReactionView[];
}

type Reads = Pick<Services, 'snapshots'>;

/** In the order of the announced dates, or of publication. */
export function announcementsFor(services: Reads, viewerId: Id): AnnouncementView[] {
  const emojis = listCustomEmojis(services.snapshots);
  return listAnnouncements(services.snapshots)
    .map(({ id, announcement }) => viewOf(services, id, announcement, { viewerId, emojis }))
    .sort((one, other) => (one.startsAt ?? one.publishedAt) - (other.startsAt ?? other.publishedAt));
}

/** For streams, the same for all viewers. Undefined for a withdrawn announcement. */
export function announcementForAll(services: Reads, id: Id): AnnouncementView | undefined {
  const announcement = findAnnouncement(services.snapshots, id);
  const emojis = listCustomEmojis(services.snapshots);
  return announcement && viewOf(services, id, announcement, { viewerId: undefined, emojis });
}

function viewOf(
  { snapshots }: Reads,
  id: Id,
  announcement: Announcement,
  { viewerId, emojis }: { viewerId: Id | undefined; emojis: readonly StoredEmoji[] },
): AnnouncementView {
  return {
    ...announcement,
    id,
    isRead: viewerId !== undefined && hasDismissed(snapshots, viewerId, id),
    emojis: emojis.filter(({ shortcode }) => announcement.text.includes(`:${shortcode}:`)),
    reactions: reactionsTo(snapshots, id).map(({ name, count }) => ({
      name,
      count,
      emoji: emojis.find(({ shortcode }) => shortcode === name),
      isMine: viewerId !== undefined && hasReacted(snapshots, id, name, viewerId),
    })),
  };
}
