/** The effect of the rotation of all keys. Effect numbers are append-only over all actors: this file has 41. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { Id } from '../../../runtime/ids.ts';
import { identifier } from '../../account/account.records.ts';

const Slice = z.object({ since: z.number(), after: identifier.optional() });

/** Makes new keys for the accounts after one, where they are older than `since`. `after`: as above, where there are more. */
export const rotateKeysOfSome = effectType<z.infer<typeof Slice>, { rotated: number; after?: Id | undefined }>(
  41,
  'rotate keys',
  Slice,
);
