/** The turn of a name. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';

export type DirectoryTurn = Turn<string>;

export type BodyOf<Message extends { body: z.ZodType }> = z.infer<Message['body']>;
