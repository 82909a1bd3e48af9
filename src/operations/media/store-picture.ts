/** Decodes a received picture into its form and stores it. Runs on network threads. */

import { rm } from 'node:fs/promises';
import type { StoredPicture } from '../../actors/blob/blob.records.ts';
import { taskModule } from '../../options/project-files.ts';
import { Failure } from '../../runtime/errors.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import type { DecodedPicture, PictureFile, PictureTask } from '../../services/media/decode-picture.task.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import type { PictureFormName } from '../../services/media/picture-forms.ts';
import type { ReceivedPicture } from '../../services/media/pictures.ts';
import { sniffFile } from '../../services/media/sniff-file.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { storeFiles } from './store-files.ts';

const pictureTask = taskModule('services/media/decode-picture.task');

/** What browsers show everywhere (behaviour of the Mastodon API). */
const mediaTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * The results stand beside the received file until they are stored: what a crash leaves there is removed at the next start.
 * Throws as `Pictures` does.
 */
export async function storePicture(services: NetworkServices, received: ReceivedPicture): Promise<StoredPicture> {
  const { path, form } = received;
  const sniffed = await sniffFile(path);
  if (sniffed === undefined || !mediaTypes.has(sniffed.mediaType)) throw refused(form, 'content type is invalid');
  const folder = `${path}.${form}`;
  try {
    return await stored(services, await decoded(services, { file: path, folder, form }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function decoded({ mediaPool }: NetworkServices, task: PictureTask): Promise<DecodedPicture> {
  try {
    return await mediaPool.run<DecodedPicture>(pictureTask, 'decodePicture', task, mediaLimits.pictureMilliseconds);
  } catch (error) {
    const isAtFault = error instanceof TaskKilled || (error instanceof Failure && error.code === 'validation');
    if (isAtFault) throw refused(task.form, 'cannot be decoded', error);
    throw error;
  }
}

async function stored(services: NetworkServices, picture: DecodedPicture): Promise<StoredPicture> {
  const { original, still, preview, blurhash } = picture;
  const files = [original, still, preview].filter((file) => file !== undefined);
  const blobs = await storeFiles(services, files);
  const blobOf = (file: PictureFile | undefined) => (file === undefined ? undefined : blobs[files.indexOf(file)]);
  return withoutUndefined({ file: blobs[0]!, still: blobOf(still), preview: blobOf(preview), blurhash });
}

/** Sentences of the Mastodon API, which name the field. */
function refused(form: PictureFormName, words: string, cause?: unknown): Failure {
  const name = `${form[0]!.toUpperCase()}${form.slice(1)}`;
  return new Failure('mediaRefused', { text: `Validation failed: ${name} ${words}`, cause });
}
