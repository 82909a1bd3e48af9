/** Reads of blobs. */
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { blobs } from './blob.state.ts';

/** Somebody refers to it, or is about to. */
export function isBlobKept(reader: Reader | Snapshots, name: string): boolean {
  const known = reader.get(blobs, [name]);
  return known !== undefined && known.isBeingRemoved !== true;
}
