/**
 * Replies that wait for consent. Pure. While one is held it is direct, so that no list, counter, stream or other server has
 * it, and `maySee` lets nobody read it but its author and whoever is asked.
 */
import type { HeldReply } from '../account/statuses/held-reply.records.ts';
import type { Status } from '../account/statuses/statuses.records.ts';

/** A new reply, as it is stored until the author of its parent has agreed. */
export function heldFormOf(status: Status): Status {
  const { visibility, limited, inReplyToAccountId } = status;
  const heldReply: HeldReply = {
    state: 'pending',
    visibility,
    ...(limited && { limited }),
    ...(inReplyToAccountId !== undefined && { askedId: inReplyToAccountId }),
  };
  return { ...status, visibility: 'direct', limited: true, heldReply };
}

/** What it becomes; any other status is that already. */
export function releasedFormOf(status: Status): Status {
  const { heldReply } = status;
  if (heldReply === undefined) return status;
  return { ...status, visibility: heldReply.visibility, limited: heldReply.limited, heldReply: undefined };
}

/** Nobody but its author sees it from now on. */
export function refusedFormOf(status: Status, { visibility, limited }: HeldReply): Status {
  return { ...status, heldReply: { state: 'rejected', visibility, ...(limited && { limited }) } };
}
