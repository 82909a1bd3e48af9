/** What threads may keep in memory of what actors own, and under which key. Events say what they invalidate of it. */
import { cacheable } from '../runtime/events/event.ts';
import type { Id } from '../runtime/ids.ts';

export const cacheables = {
  /** A status with its numbers, and which statuses answer it. */
  status: cacheable<Id>('status'),
  /** A status as other servers fetch it: without numbers, and with the author's own answers to it. */
  statusDocument: cacheable<Id>('status document'),
  /** A profile with its numbers. */
  account: cacheable<Id>('account'),
  /** A profile without its numbers. */
  profile: cacheable<Id>('profile'),
  /** The list of an account's statuses. */
  statusesOfAccount: cacheable<Id>('statuses of an account'),
  /** The public timeline and its parts. */
  publicTimeline: cacheable<undefined>('public timeline'),
  /** The timeline of the tag with this name; undefined for all tags. */
  tagTimeline: cacheable<string | undefined>('tag timeline'),
  /** What a status is to one viewer: favourited, reblogged … */
  viewerState: cacheable<{ readonly viewerId: Id; readonly statusId: Id }>('viewer state'),
  /** What a token grants, by its id. */
  grant: cacheable<string>('grant'),
  /** Everything that tokens of an account grant. */
  grantsOfAccount: cacheable<Id>('grants of an account'),
  /** The same of all statuses. */
  viewerStates: cacheable<Id>('viewer states'),
  /** The filters of an account. */
  filters: cacheable<Id>('filters'),
  /** Which tags an account follows, and what its home leaves out of their timelines. */
  followedTags: cacheable<Id>('followed tags'),
  /** Whom an account blocks or mutes, and who blocks it. */
  hiddenAccounts: cacheable<Id>('hidden accounts'),
};
