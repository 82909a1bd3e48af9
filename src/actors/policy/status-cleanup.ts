/** Which posts of an account its rule deletes (behaviour of the Mastodon API). Pure. */
import type { CleanupPolicy } from '../account/cleanup/cleanup.records.ts';
import type { Status, StatusCounters } from '../account/statuses/statuses.records.ts';

export interface OldPost {
  readonly status: Pick<Status, 'createdAt' | 'visibility' | 'poll' | 'attachments' | 'reblogOfId' | 'importedFrom'>;
  readonly counters: Pick<StatusCounters, 'favourites' | 'reblogs'>;
  readonly isPinned: boolean;
  /** By its author. */
  readonly isFavourited: boolean;
  readonly isBookmarked: boolean;
}

export function isOldEnough({ ageSecondsMin }: CleanupPolicy, createdAt: number, now: number): boolean {
  return createdAt + ageSecondsMin * 1_000 <= now;
}

/**
 * Of a post that is old enough. A boost is kept for nothing that is true of the post of somebody else; what was imported is
 * always: it was brought here on purpose, and is nowhere else.
 */
export function isKept(policy: CleanupPolicy, { status, counters, ...own }: OldPost): boolean {
  if (status.reblogOfId !== undefined) return false;
  if (status.importedFrom !== undefined) return true;
  const { favouritesMin = Number.POSITIVE_INFINITY, reblogsMin = Number.POSITIVE_INFINITY } = policy;
  return (
    (policy.keepsDirect && status.visibility === 'direct') ||
    (policy.keepsPinned && own.isPinned) ||
    (policy.keepsPolls && status.poll !== undefined) ||
    (policy.keepsMedia && (status.attachments ?? []).length > 0) ||
    (policy.keepsFavourited && own.isFavourited) ||
    (policy.keepsBookmarked && own.isBookmarked) ||
    counters.favourites >= favouritesMin ||
    counters.reblogs >= reblogsMin
  );
}
