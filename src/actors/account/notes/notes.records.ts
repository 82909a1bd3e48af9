/** The shape of a note on another account. */
import { z } from 'zod';

export const Note = z.object({ comment: z.string() });
export type Note = z.infer<typeof Note>;

export const noteCharactersMax = 2_000;
