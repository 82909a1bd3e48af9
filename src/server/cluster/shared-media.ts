/**
 * Media are not in the logs. In a cluster they are where every node reaches them: in a bucket, or in a folder that has a mark, which
 * the NATS servers know.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../../options/table.ts';
import { syncFolder, writeDurably } from '../../runtime/storage/durable-files.ts';
import { FolderStore } from '../../services/blobs/folder-store.ts';
import { blobFolder } from '../folder/data-folder.ts';
import type { Register } from './register.ts';

type Places = Pick<Options, 'mediaFolder' | 'mediaS3Endpoint'>;

const markFile = '.murmuration-cluster';

/** Throws an Error with a sentence. */
export function assertMediaShared({ mediaFolder, mediaS3Endpoint }: Places): void {
  if (mediaFolder === undefined && mediaS3Endpoint === undefined)
    throw new Error(
      'In a cluster every node must reach the media, and those in the data folder are lost with their machine: say where they are, with MURMURATION_MEDIA_S3_ENDPOINT for a bucket, or with MURMURATION_MEDIA_FOLDER for a folder that all nodes have mounted.',
    );
  if (mediaS3Endpoint === undefined && !existsSync(mediaFolder!))
    throw new Error(`The folder of media ${mediaFolder} does not exist.`);
}

/** The folder, where there is one, is that of the other nodes. Rejects with an Error whose message is a sentence. */
export async function assertSameMedia(
  register: Pick<Register, 'mediaMark' | 'markMedia'>,
  places: Places,
): Promise<void> {
  assertMediaShared(places);
  const { mediaFolder, mediaS3Endpoint } = places;
  if (mediaFolder === undefined || mediaS3Endpoint !== undefined) return;
  const file = join(mediaFolder, markFile);
  const known = (await register.mediaMark()) ?? (await register.markMedia(marked(file)));
  if (markIn(file) !== known)
    throw new Error(
      `The folder ${mediaFolder} is not the one in which this cluster keeps its media. Is it mounted? One that was copied needs the file ${markFile} too.`,
    );
}

function markIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function marked(file: string): string {
  const found = markIn(file);
  if (found !== undefined) return found;
  const mark = randomUUID();
  try {
    writeDurably(file, `${mark}\n`);
    syncFolder(join(file, '..'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The folder of media cannot be written: ${reason}.`, { cause });
  }
  return mark;
}

/** Rejects with an Error whose message is a sentence where media are left that only this machine has. */
export async function assertMediaMoved(dataDirectory: string): Promise<void> {
  const folder = blobFolder(dataDirectory);
  for await (const { name } of new FolderStore(folder).list())
    throw new Error(
      `The folder ${folder} has media that other nodes would not reach, such as ${name}: start the server without MURMURATION_CLUSTER, run murmuration media move, and stop it again.`,
    );
}
