/** The turn of a session actor. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';

export type SessionTurn = Turn<string>;

export type BodyOf<Message extends { body: z.ZodType }> = z.infer<Message['body']>;
