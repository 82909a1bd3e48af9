/** What the keyspaces of all features of an account share. */
import { z } from 'zod';

export const owner = 'account';

export const withAccount = { by: 'owner', reason: 'as long as the account' } as const;

export const withStatus = { by: 'owner', reason: 'as long as the status' } as const;

export const Reference = z.object({ id: z.bigint() });
export type Reference = z.infer<typeof Reference>;
