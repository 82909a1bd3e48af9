/** A public post is sent to who has subscribed; an account that nobody may subscribe to reads nothing for it. */
import { isMailed } from '../../policy/mailed-posts.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { announcePost } from './email-posts.ts';

export const emailSubscriptionHooks: StatusHooks = {
  published(turn, status, message) {
    if (message !== undefined && isMailed(status) && ownProfile(turn).emailSubscriptions === true)
      announcePost(turn, status.id);
    return undefined;
  },
};
