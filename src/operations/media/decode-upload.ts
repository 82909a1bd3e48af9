/** Decodes an uploaded file and stores the results. Runs on network threads; the decoding itself in processes of a pool. */
import { join } from 'node:path';
import type { DecodedMedia } from '../../actors/account/media/media.effects.ts';
import type { Attachment, Upload } from '../../actors/account/media/media.records.ts';
import type { HeldBlob } from '../../actors/blob/blob.records.ts';
import { taskModule } from '../../options/project-files.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Pool } from '../../runtime/pool.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import type { DecodedFilm, FilmTask } from '../../services/media/decode-film.task.ts';
import type { DecodedCover, DecodedPicture, PictureTask } from '../../services/media/decode-picture.task.ts';
import { findFilmTools } from '../../services/media/film-tools.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import type { SniffedType } from '../../services/media/sniff.ts';
import { sniffFile } from '../../services/media/sniff-file.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { storeFiles } from './store-files.ts';

const pictureTask = taskModule('services/media/decode-picture.task');
const filmTask = taskModule('services/media/decode-film.task');

type Decoded = NonNullable<DecodedMedia['decoded']>;

/**
 * A file that is at fault is an answer with a sentence for its author. The files stay until the answer was stored, because
 * a crash repeats the effect. Throws temporary Failures: the effect runs again.
 */
export async function decodeUpload(services: NetworkServices, mediaId: Id, upload: Upload): Promise<DecodedMedia> {
  const results = `${mediaId}.decoded`;
  try {
    return { mediaId, upload, decoded: await decodeFiles(services, upload, services.incoming.pathOf(results)) };
  } catch (error) {
    if (isTemporary(error) || !(error instanceof Failure || error instanceof TaskKilled)) throw error;
    return { mediaId, upload, failure: (error instanceof Failure ? error.text : undefined) ?? unverified };
  } finally {
    await services.incoming.remove(results);
  }
}

const unverified = 'File type of uploaded media could not be verified';
const lost = 'The uploaded file is gone: upload it again';

/** After the answer was stored. */
export async function removeUpload({ incoming }: Pick<NetworkServices, 'incoming'>, upload: Upload): Promise<void> {
  for (const name of [upload.file, upload.thumbnail]) if (name !== undefined) await incoming.remove(name);
}

async function decodeFiles(services: NetworkServices, upload: Upload, folder: string): Promise<Decoded> {
  const { file, thumbnail } = upload;
  const { incoming } = services;
  for (const name of [file, thumbnail])
    if (name !== undefined && !(await incoming.has(name))) throw new Failure('validation', { text: lost });
  const pathOf = (name: string) => incoming.pathOf(name);
  const main = file === undefined ? undefined : await decodeFile(services, pathOf(file), join(folder, 'file'));
  if (thumbnail === undefined) return main!;
  if (main?.attachment.type === 'image')
    throw new Failure('validation', { text: 'Thumbnails are only for videos and sounds' });
  const cover = await decodeCover(services.mediaPool, pathOf(thumbnail), join(folder, 'thumbnail'));
  return merged(main, await storeCover(services, cover));
}

function merged(main: Decoded | undefined, cover: Decoded): Decoded {
  return {
    attachment: { ...main?.attachment, ...cover.attachment },
    blobs: [...(main?.blobs ?? []), ...cover.blobs],
  };
}

async function decodeFile(services: NetworkServices, file: string, folder: string): Promise<Decoded> {
  const sniffed = await sniffFile(file);
  if (sniffed === undefined) throw new Failure('validation', { text: unverified });
  const { mediaPool, filmPool } = services;
  if (sniffed.kind === 'image' && !(await becomesFilm(mediaPool, sniffed, file)))
    return storePicture(services, await decodePicture(mediaPool, file, folder));
  return storeFilm(services, await decodeFilm(filmPool, sniffed, file, folder));
}

/** A GIF that moves has a tenth of the bytes as a film, where the machine can make one. */
async function becomesFilm(pool: Pool, { mediaType }: SniffedType, file: string): Promise<boolean> {
  if (mediaType !== 'image/gif' || findFilmTools() === undefined) return false;
  return (await pool.run<number>(pictureTask, 'countFrames', file, mediaLimits.pictureMilliseconds)) > 1;
}

function decodePicture(pool: Pool, file: string, folder: string): Promise<DecodedPicture> {
  const task: PictureTask = { file, folder, form: 'attachment' };
  return pool.run(pictureTask, 'decodePicture', task, mediaLimits.pictureMilliseconds);
}

function decodeCover(pool: Pool, file: string, folder: string): Promise<DecodedCover> {
  return pool.run(pictureTask, 'decodeCover', { file, folder }, mediaLimits.pictureMilliseconds);
}

async function decodeFilm(pool: Pool, sniffed: SniffedType, file: string, folder: string): Promise<DecodedFilm> {
  const tools = findFilmTools();
  if (tools === undefined)
    throw new Failure('validation', {
      text: 'This server takes no videos and no sounds, because ffmpeg is not installed',
    });
  const task: FilmTask = { file, folder, demuxer: sniffed.demuxer ?? 'gif', tools };
  return pool.run(filmTask, 'decodeFilm', task, mediaLimits.filmMilliseconds);
}

async function storePicture(services: NetworkServices, picture: DecodedPicture): Promise<Decoded> {
  const { original, preview = original, blurhash } = picture;
  const blobs = await storeFiles(services, [original, preview]);
  const attachment: Partial<Attachment> = {
    type: 'image',
    url: blobs[0]!.name,
    mediaType: original.mediaType,
    width: original.width,
    height: original.height,
    ...previewOf(preview, blobs[1]!),
    ...(blurhash === undefined ? {} : { blurhash }),
  };
  return { attachment, blobs };
}

async function storeFilm(services: NetworkServices, { type, original, cover, colours }: DecodedFilm): Promise<Decoded> {
  const { file: _file, bytes: _bytes, ...described } = original;
  const [blob, coverBlob] = await storeFiles(services, cover === undefined ? [original] : [original, cover.original]);
  const main = { attachment: { ...described, type, url: blob!.name }, blobs: [blob!] };
  return cover === undefined ? main : merged(main, coverOf({ ...cover, colours }, coverBlob!));
}

interface Cover extends DecodedPicture {
  readonly colours?: DecodedFilm['colours'] | undefined;
}

async function storeCover(services: NetworkServices, cover: Cover): Promise<Decoded> {
  const [blob] = await storeFiles(services, [cover.original]);
  return coverOf(cover, blob!);
}

function coverOf({ original, blurhash, colours }: Cover, blob: HeldBlob): Decoded {
  const shown = { ...previewOf(original, blob), ...(blurhash && { blurhash }), ...(colours && { colours }) };
  return { attachment: shown, blobs: [blob] };
}

function previewOf({ width, height }: DecodedPicture['original'], { name }: HeldBlob): Partial<Attachment> {
  return { previewUrl: name, previewWidth: width, previewHeight: height };
}
