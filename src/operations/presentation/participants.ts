/** Who takes part in a conversation. */
import type { Id } from '../../runtime/ids.ts';

interface Addressed {
  readonly accountId: Id;
  readonly mentions: readonly { readonly id: Id }[];
}

/** Whom a status of a conversation is from and for: without its owner, except where nobody else takes part. */
export function participantsOf({ accountId, mentions }: Addressed, ownerId: Id): Id[] {
  const all = [...new Set([accountId, ...mentions.map(({ id }) => id)])];
  const others = all.filter((id) => id !== ownerId);
  return others.length === 0 ? all : others;
}
