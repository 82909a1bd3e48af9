/** The endpoints of interactions with statuses, their accounts, and the thread around a status. */
import { getContext } from './get-context.ts';
import { getFavouritedBy } from './get-favourited-by.ts';
import { getFavourites } from './get-favourites.ts';
import { getRebloggedBy } from './get-reblogged-by.ts';
import { postReblog } from './reblog-status.ts';
import { postFavourite, postMute, postUnfavourite, postUnmute, postUnreblog } from './status-changes.ts';

export const interactionEndpoints = [
  postFavourite,
  postUnfavourite,
  postReblog,
  postUnreblog,
  postMute,
  postUnmute,
  getFavourites,
  getFavouritedBy,
  getRebloggedBy,
  getContext,
];
