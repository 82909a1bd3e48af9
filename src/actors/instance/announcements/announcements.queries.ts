/** Reads of announcements. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { Announcement, ReactionCount } from './announcements.records.ts';
import { announcements, reactionCounts, reactions } from './announcements.state.ts';

export interface StoredAnnouncement {
  readonly id: Id;
  readonly announcement: Announcement;
}

/** In the order of publication. */
export function listAnnouncements(reader: Reader): StoredAnnouncement[] {
  return Array.from(reader.range(announcements, [instanceKey]), ({ key, value }) => ({
    id: key[1],
    announcement: value,
  }));
}

export function findAnnouncement(reader: Reader, id: Id): Announcement | undefined {
  return reader.get(announcements, [instanceKey, id]);
}

/** In the order in which each kind was first used. */
export function reactionsTo(reader: Reader, announcementId: Id): ReactionCount[] {
  return Array.from(reader.range(reactionCounts, [instanceKey, announcementId]), ({ value }) => value)
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.firstAt - other.firstAt || (one.name < other.name ? -1 : 1));
}

export function hasReacted(reader: Reader, announcementId: Id, name: string, accountId: Id): boolean {
  return reader.get(reactions, [instanceKey, announcementId, name, accountId]) !== undefined;
}
