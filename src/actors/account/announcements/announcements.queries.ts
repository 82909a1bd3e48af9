/** Reads which announcements an account has dismissed. */
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import { dismissedAnnouncements } from './announcements.state.ts';

export function hasDismissed(snapshots: Snapshots, accountId: Id, announcementId: Id): boolean {
  return snapshots.get(dismissedAnnouncements, [accountId, announcementId]) !== undefined;
}
