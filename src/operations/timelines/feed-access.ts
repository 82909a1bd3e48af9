/** What a reader may read of the public timelines, by what staff have decided and by the reader's role. */
import { type FeedReaches, reachesOf } from '../../actors/policy/feed-access.ts';
import type { Id } from '../../runtime/ids.ts';
import { currentFeedRules } from '../../services/feed-access.ts';
import type { Services } from '../../services/services.ts';
import { holdsPermission } from '../permissions.ts';
import { unlimited } from '../rate-limits.ts';

export type FeedServices = Pick<Services, 'snapshots' | 'events' | 'members'>;

/** `everyFeed` itself for whoever may read everything. Without an account: for whoever has not signed in. */
export function feedReaches(services: FeedServices, accountId: Id | undefined): FeedReaches {
  return reachesOf(currentFeedRules(services), {
    isSignedIn: accountId !== undefined,
    mayViewFeeds: () =>
      accountId !== undefined &&
      holdsPermission('viewFeeds', { kind: 'account', accountId, limits: unlimited }, services),
  });
}
