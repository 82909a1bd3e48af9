/** The participants of a conversation. */
import type { Id } from '../../runtime/ids.ts';

interface Addressed {
  readonly accountId: Id;
  readonly mentions: readonly { readonly id: Id }[];
}

/** The author and the mentioned accounts of a conversation's status: without the owner, unless there is nobody else. */
export function participantsOf({ accountId, mentions }: Addressed, ownerId: Id): Id[] {
  const all = [...new Set([accountId, ...mentions.map(({ id }) => id)])];
  const others = all.filter((id) => id !== ownerId);
  return others.length === 0 ? all : others;
}
