/** What media hold in the blob store, and until when. */
import type { Id } from '../../../runtime/ids.ts';
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import { Blob } from '../../blob/blob.messages.ts';
import type { HeldBlob } from '../../blob/blob.records.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { mediaLimits } from './limits.ts';
import type { Attachment, Media } from './media.records.ts';
import { media } from './media.state.ts';

export function holdBlobs(turn: AccountTurn, mediaId: Id, blobs: readonly HeldBlob[]): void {
  for (const { name, bytes } of blobs) turn.tell(Blob.hold.to(name, { holderId: mediaId, bytes }));
}

interface DecodedMedium extends Pick<Attachment, 'description' | 'focusX' | 'focusY'> {
  readonly attachment: { readonly [Field in keyof Attachment]?: Attachment[Field] | undefined };
  readonly blobs: HeldBlob[];
}

/** What was decoded before it is a medium: whoever stores it attaches it in the same turn. */
export function storeDecoded(
  turn: AccountTurn,
  { attachment: decoded, blobs, ...described }: DecodedMedium,
): Attachment {
  const mediaId = turn.nextId();
  const said = withoutUndefined({ ...decoded, ...described }) as Partial<Attachment>;
  const attachment: Attachment = { type: 'unknown', url: '', ...said, id: mediaId };
  turn.put(media, [turn.self.key, mediaId], { id: mediaId, createdAt: turn.now, attachment, blobs });
  holdBlobs(turn, mediaId, blobs);
  return attachment;
}

/** The row and what it holds. */
export function dropMedia(turn: AccountTurn, { id, blobs }: Media): void {
  turn.delete(media, [turn.self.key, id]);
  for (const { name } of blobs) turn.tell(Blob.release.to(name, { holderId: id }));
}

export function awaitUse(turn: AccountTurn, mediaId: Id): void {
  turn.schedule(turn.now + mediaLimits.unattachedMilliseconds, Account.mediaUnused.to(turn.self.key, { mediaId }));
}
