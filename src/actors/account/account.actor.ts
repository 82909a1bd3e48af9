/** The account actor: every message with the handler that runs it, one file per job. */
import { implement } from '../../runtime/contract.ts';
import { Account } from './account.messages.ts';
import type { AccountTurn } from './account.turn.ts';
import { followedPublished, ringBells } from './bells.ts';
import { block, blocked, unblock, unblocked } from './block.ts';
import { adoptKeys, changeLogin, changeProfile, create } from './change.ts';
import { dismissStatus, mentioned, repliedTo, replyRemoved } from './consequences.ts';
import { deleteStatus, originalDeleted, sweepStatus } from './delete-status.ts';
import { depart, sweepDeparted } from './depart.ts';
import { edit, tellRebloggers } from './edit-status.ts';
import { favourite, favouriteKept, unfavourite, unfavourited } from './favourite.ts';
import { follow, followAccepted, followAnswered, followAsked, followRejected, unfollow, unfollowed } from './follow.ts';
import { authorizeFollow, authorizePending, followServer, rejectFollow } from './follow-requests.ts';
import { mute, muteExpired, unmute } from './mute.ts';
import { clearNotifications, dismissNotification, notifyMessage } from './notifications.ts';
import { forgetIdempotencyKey, publish } from './publish.ts';
import { reblog, reblogAllowed, reblogged, unreblog, unreblogged } from './reblog.ts';
import { followerInbox, refresh, refreshed, tellInbox } from './refresh.ts';
import { learn, receive, receiveDelete, receiveEdit, receiveReblog, receiveUndoReblog } from './remote.ts';

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
