/** The effects of media: decoding uploads, and removing blobs that nobody holds. Run on network threads. */

import { decodeMedia, removeUploadedFiles } from '../../actors/account/media/media.effects.ts';
import { removeBlob } from '../../actors/blob/blob.effects.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { parseBlobName } from '../../services/blobs/blob-store.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { decodeUpload, removeUpload } from './decode-upload.ts';

export function mediaRunners(
  services: NetworkServices,
): readonly (readonly [number, EffectRunner<unknown, unknown>])[] {
  return [
    runnerOf(decodeMedia, ({ mediaId, upload }) => decodeUpload(services, mediaId, upload)),
    runnerOf(removeUploadedFiles, async (upload) => {
      await removeUpload(services, upload);
      return {};
    }),
    runnerOf(removeBlob, async ({ name }) => {
      const blob = parseBlobName(name);
      if (blob !== undefined) await services.blobs.delete(blob);
      return {};
    }),
  ];
}
