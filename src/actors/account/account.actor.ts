/** The account actor: every message with the handler that runs it, one file per job. */
import { implement } from '../../runtime/contract.ts';
import { Account } from './account.messages.ts';
import type { AccountTurn } from './account.turn.ts';
import { favourite, favouriteKept, unfavourite, unfavourited } from './interactions/favourite.ts';
import { reblog, reblogAllowed, reblogged, unreblog, unreblogged } from './interactions/reblog.ts';
import { clearNotifications, dismissNotification, notifyMessage } from './notifications/notifications.ts';
import { followedPublished, ringBells } from './notifications/post-notifications.ts';
import { adoptKeys, changeLogin, changeProfile, create } from './profile/lifecycle.ts';
import { block, blocked, unblock, unblocked } from './relationships/block.ts';
import {
  follow,
  followAccepted,
  followAnswered,
  followAsked,
  followRejected,
  unfollow,
  unfollowed,
} from './relationships/follow.ts';
import { authorizeFollow, authorizePending, followServer, rejectFollow } from './relationships/follow-requests.ts';
import { mute, muteExpired, unmute } from './relationships/mute.ts';
import { depart, sweepDeparted } from './remote/purge.ts';
import { followerInbox, refresh, refreshed, tellInbox } from './remote/refresh.ts';
import {
  learn,
  receive,
  receiveDelete,
  receiveEdit,
  receiveReblog,
  receiveUndoReblog,
} from './remote/remote-account.ts';
import { deleteStatus, originalDeleted, sweepStatus } from './statuses/delete-status.ts';
import { edit, tellRebloggers } from './statuses/edit-status.ts';
import { dismissStatus, mentioned, repliedTo, replyRemoved } from './statuses/mentioned.ts';
import { forgetIdempotencyKey, publish } from './statuses/publish.ts';

export const accountActor = implement<AccountTurn>()(Account, {
  create,
  changeProfile,
  changeLogin,
  adoptKeys,
  publish,
  edit,
  deleteStatus,
  sweepStatus,
  forgetIdempotencyKey,
  originalDeleted,
  favourite,
  favouriteKept,
  unfavourite,
  unfavourited,
  reblog,
  reblogAllowed,
  reblogged,
  unreblog,
  unreblogged,
  mentioned,
  repliedTo,
  replyRemoved,
  followedPublished,
  ringBells,
  dismissStatus,
  tellRebloggers,
  follow,
  followAsked,
  followAnswered,
  unfollow,
  unfollowed,
  followAccepted,
  followRejected,
  authorizeFollow,
  rejectFollow,
  authorizePending,
  block,
  blocked,
  unblock,
  unblocked,
  mute,
  unmute,
  muteExpired,
  followServer,
  dismissNotification,
  clearNotifications,
  notify: notifyMessage,
  learn,
  receive,
  receiveEdit,
  receiveDelete,
  receiveReblog,
  receiveUndoReblog,
  depart,
  sweepDeparted,
  refresh,
  refreshed,
  tellInbox,
  followerInbox,
});
