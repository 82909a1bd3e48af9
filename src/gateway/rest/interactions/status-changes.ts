/** The endpoints to favourite a status, to undo a favourite or reblog, and to mute its thread. */
import { favouriteStatus } from '../../../operations/interactions/favourite-status.ts';
import { muteThread, unmuteThread } from '../../../operations/interactions/mute-thread.ts';
import { unfavouriteStatus } from '../../../operations/interactions/unfavourite-status.ts';
import { unreblogStatus } from '../../../operations/interactions/unreblog-status.ts';
import { statusChange } from '../status-change.ts';

export const postFavourite = statusChange({
  path: '/api/v1/statuses/:id/favourite',
  scope: 'write:favourites',
  summary: 'Adds a status to the favourites of the user.',
  operation: favouriteStatus,
  shownAs: 'single',
});

/** Specification 2.6: the answer has `favourited: false`. */
export const postUnfavourite = statusChange({
  path: '/api/v1/statuses/:id/unfavourite',
  scope: 'write:favourites',
  summary: 'Removes a status from the favourites of the user.',
  operation: unfavouriteStatus,
  shownAs: 'takenBack',
});

/** Specification 2.6: the answer has `reblogged: false`. */
export const postUnreblog = statusChange({
  path: '/api/v1/statuses/:id/unreblog',
  scope: 'write:statuses',
  summary: "Deletes the user's reblog of a status and returns the original.",
  operation: unreblogStatus,
  shownAs: 'takenBack',
});

export const postMute = statusChange({
  path: '/api/v1/statuses/:id/mute',
  scope: 'write:mutes',
  summary: 'Mutes the thread of a status: it causes no notifications.',
  operation: muteThread,
  shownAs: 'single',
});

export const postUnmute = statusChange({
  path: '/api/v1/statuses/:id/unmute',
  scope: 'write:mutes',
  summary: 'Unmutes the thread of a status.',
  operation: unmuteThread,
  shownAs: 'takenBack',
});
