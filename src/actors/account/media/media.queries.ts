/** Reads of media. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Media } from './media.records.ts';
import { media } from './media.state.ts';

/** Of this account only. */
export function findMedia(reader: Reader | Snapshots, accountId: Id, mediaId: Id): Media | undefined {
  return reader.get(media, [accountId, mediaId]);
}

export type MediaState = 'processing' | 'ready' | 'failed';

/** One whose thumbnail is replaced stays ready. */
export function stateOfMedia({ attachment, failure }: Media): MediaState {
  if (attachment.url !== '') return 'ready';
  return failure === undefined ? 'processing' : 'failed';
}
