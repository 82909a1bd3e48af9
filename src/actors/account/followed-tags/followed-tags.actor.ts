/** Followed tags: public statuses with one of them are in the home timeline (behaviour of the Mastodon API). */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { followedTagsChanged } from './followed-tags.events.ts';
import { followedTagMessages } from './followed-tags.messages.ts';
import * as state from './followed-tags.state.ts';
import { followedTagLimits } from './limits.ts';

const { followedTags, followedTagOf } = state;

/** Throws validation above the bound. */
function followTag(turn: AccountTurn, { name }: BodyOf<typeof followedTagMessages.followTag>): undefined {
  ownProfile(turn);
  const accountId = turn.self.key;
  if (turn.get(followedTagOf, [accountId, name]) !== undefined) return;
  const { followedMax } = followedTagLimits;
  if ([...turn.range(followedTags, [accountId])].length >= followedMax)
    throw validationFailure(`You cannot follow more than ${followedMax} tags`, {
      reason: 'tooManyFollowedTags',
      limit: followedMax,
    });
  const followId = turn.nextId();
  turn.put(followedTags, [accountId, followId], { name });
  turn.put(followedTagOf, [accountId, name], { id: followId });
  turn.emit(followedTagsChanged, { accountId });
}

function unfollowTag(turn: AccountTurn, { name }: BodyOf<typeof followedTagMessages.unfollowTag>): undefined {
  const accountId = turn.self.key;
  const followed = turn.get(followedTagOf, [accountId, name]);
  if (followed === undefined) return;
  turn.delete(followedTags, [accountId, followed.id]);
  turn.delete(followedTagOf, [accountId, name]);
  turn.emit(followedTagsChanged, { accountId });
}

export const followedTagsFeature = feature<AccountTurn>()({
  messages: followedTagMessages,
  handlers: { followTag, unfollowTag },
  state: [state],
  rules: state.followedTagRules,
});
