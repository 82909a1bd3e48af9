/** Where a walk through the servers that are known here goes on. */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const ServerPosition = z.object({ partition: z.number(), from: identifier.optional() });
export type ServerPosition = z.infer<typeof ServerPosition>;
