/** Deletes the caller's reblog of a status. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { operation } from '../operation.ts';
import { takeBack } from './take-back.ts';

export const unreblogStatus = operation({
  input: z.object({ statusId: identifier }),
  permission: 'interact',
  limit: 'statusDeletion',
  run: (context, { statusId }) => takeBack(context, statusId, 'reblogged'),
});
