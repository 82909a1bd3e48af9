/** Reads of media. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Attachment, Media } from './media.records.ts';
import { media } from './media.state.ts';

/** Of this account only. */
export function findMedia(reader: Reader | Snapshots, accountId: Id, mediaId: Id): Media | undefined {
  return reader.get(media, [accountId, mediaId]);
}

/** Of the file that an attachment shows; undefined for those of other servers. */
export function bytesOfMedia(
  reader: Reader | Snapshots,
  accountId: Id,
  { id, url }: Pick<Attachment, 'id' | 'url'>,
): number | undefined {
  return findMedia(reader, accountId, id)?.blobs.find(({ name }) => name === url)?.bytes;
}

export type MediaState = 'processing' | 'ready' | 'failed';

/** One whose thumbnail is replaced stays ready. */
export function stateOfMedia({ attachment, failure }: Media): MediaState {
  if (attachment.url !== '') return 'ready';
  return failure === undefined ? 'processing' : 'failed';
}
