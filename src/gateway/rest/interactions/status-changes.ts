/** The endpoints that favourite a status, and that take a favourite or a reblog back. */
import { favouriteStatus } from '../../../operations/interactions/favourite-status.ts';
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

/** Specification 2.6: the answer says `favourited: false`. */
export const postUnfavourite = statusChange({
  path: '/api/v1/statuses/:id/unfavourite',
  scope: 'write:favourites',
  summary: 'Takes a status out of the favourites of the user.',
  operation: unfavouriteStatus,
  shownAs: 'takenBack',
});

/** Specification 2.6: the answer says `reblogged: false`. */
export const postUnreblog = statusChange({
  path: '/api/v1/statuses/:id/unreblog',
  scope: 'write:statuses',
  summary: "Deletes the user's reblog of a status and answers the original.",
  operation: unreblogStatus,
  shownAs: 'takenBack',
});
