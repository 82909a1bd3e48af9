/** A blob as a file of an archive, read piece by piece. */

import { type ArchivedFile, archivePieceBytes } from '../../../services/archives/archive-files.ts';
import { parseBlobName } from '../../../services/blobs/blob-store.ts';
import { bytesOf } from '../../../services/blobs/byte-source.ts';
import type { Services } from '../../../services/services.ts';
import { mediaPathOf } from './documents.ts';

/** Undefined where it is lost: the post is archived without. */
export async function mediaFile(
  { blobs }: Pick<Services, 'blobs'>,
  name: string,
  path = mediaPathOf(name),
): Promise<ArchivedFile | undefined> {
  const blob = parseBlobName(name);
  const found = blob && (await blobs.open(blob));
  if (blob === undefined || found === undefined) return undefined;
  const bytes = found.byteLength;
  found.close();
  return {
    ...{ path, bytes, isCompressed: true },
    async *content() {
      const source = await blobs.open(blob);
      if (source === undefined) return;
      try {
        yield* bytesOf(source, archivePieceBytes);
      } finally {
        source.close();
      }
    },
  };
}
