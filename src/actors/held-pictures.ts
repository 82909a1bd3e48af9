/** Pictures that actors hold: of profiles, of custom emojis, of the server. */
import type { ActorKey } from '../runtime/contract.ts';
import type { Id } from '../runtime/ids.ts';
import type { Turn } from '../runtime/partition/turn.ts';
import { Blob } from './blob/blob.messages.ts';
import type { HeldBlob, HeldPicture, StoredPicture } from './blob/blob.records.ts';

type HoldingTurn = Pick<Turn<ActorKey>, 'tell'>;

export function blobsOf({ file, still, preview }: StoredPicture): HeldBlob[] {
  return [file, still, preview].filter((blob) => blob !== undefined);
}

/** The id must be new: a picture that takes the place of another may share its bytes. */
export function holdPicture(turn: HoldingTurn, picture: StoredPicture, holderId: Id): HeldPicture {
  for (const { name, bytes } of blobsOf(picture)) turn.tell(Blob.hold.to(name, { holderId, bytes }));
  return { ...picture, holderId };
}

export function releasePicture(turn: HoldingTurn, held: HeldPicture | undefined): void {
  if (held === undefined) return;
  for (const { name } of blobsOf(held)) turn.tell(Blob.release.to(name, { holderId: held.holderId }));
}
