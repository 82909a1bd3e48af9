/** The effect of an invite. Effect numbers are append-only over all actors: this file has 42. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import { identifier } from '../account.records.ts';

const NewFollow = z.object({ accountId: identifier, creatorId: identifier });

/** Follows whoever has invited the account, by the operation by which it follows everybody else. */
export const followCreator = effectType<z.infer<typeof NewFollow>, object>(42, 'follow creator of invite', NewFollow);
