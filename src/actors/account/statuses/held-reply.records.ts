/** A reply that waits until the author of what it answers agrees, or was refused. */
import { z } from 'zod';
import { identifier, Visibility } from '../account.records.ts';

export const heldStates = ['pending', 'rejected'] as const;

/** The status is stored as a direct one that nobody is told of; here is what it becomes once it is accepted. */
export const HeldReply = z.object({
  state: z.enum(heldStates),
  visibility: Visibility,
  limited: z.boolean().optional(),
  /** Who decides, and may read it meanwhile; absent once it was refused. */
  askedId: identifier.optional(),
});
export type HeldReply = z.infer<typeof HeldReply>;
