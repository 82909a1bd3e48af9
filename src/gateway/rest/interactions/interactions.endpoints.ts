/** What accounts do with statuses, who did it, and the thread around a status. */
import { postFavourite } from './favourite-status.ts';
import { getContext } from './get-context.ts';
import { getFavouritedBy } from './get-favourited-by.ts';
import { getRebloggedBy } from './get-reblogged-by.ts';
import { postReblog } from './reblog-status.ts';
import { postUnfavourite } from './unfavourite-status.ts';
import { postUnreblog } from './unreblog-status.ts';

export const interactionEndpoints = [
  postFavourite,
  postUnfavourite,
  postReblog,
  postUnreblog,
  getFavouritedBy,
  getRebloggedBy,
  getContext,
];
