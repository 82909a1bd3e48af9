/** What accounts do with statuses, who did it, and the thread around a status. */
import { favouriteStatus } from './favourite-status.ts';
import { getContext } from './get-context.ts';
import { getFavouritedBy } from './get-favourited-by.ts';
import { getRebloggedBy } from './get-reblogged-by.ts';
import { reblogStatus } from './reblog-status.ts';
import { unfavouriteStatus } from './unfavourite-status.ts';
import { unreblogStatus } from './unreblog-status.ts';

export const interactionEndpoints = [
  favouriteStatus,
  unfavouriteStatus,
  reblogStatus,
  unreblogStatus,
  getFavouritedBy,
  getRebloggedBy,
  getContext,
];
