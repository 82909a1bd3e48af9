/** Removes a status from the favourites of the caller. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { operation } from '../operation.ts';
import { takeBack } from './take-back.ts';

export const unfavouriteStatus = operation({
  input: z.object({ statusId: identifier }),
  permission: 'interact',
  run: (context, { statusId }) => takeBack(context, statusId, 'favourited'),
});
