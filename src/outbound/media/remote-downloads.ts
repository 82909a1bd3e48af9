/**
 * Downloads files of other servers, once however many ask, into copies (cached-media.ts).
 *
 * 1. What a file is, its first bytes say: neither its server nor its sender is believed. Pictures are decoded in processes
 *    of the media pool into bounded forms, without anything that their makers did not mean to show; films and sounds are
 *    kept as they are, because making them anew takes minutes.
 * 2. A film or sound can be shown while it comes (arriving-file.ts), if its server says how long it is: players need that.
 * 3. Nothing is left of a download that failed.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { taskModule } from '../../options/project-files.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import type { Pool } from '../../runtime/pool.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import type { DecodedPicture, PictureTask } from '../../services/media/decode-picture.task.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import { endingOf } from '../../services/media/media-types.ts';
import { type PictureFormName, pictureForms } from '../../services/media/picture-forms.ts';
import type { ProxiedMedia } from '../../services/media/proxied-media.ts';
import { sniffFile } from '../../services/media/sniff-file.ts';
import { Slots } from '../../services/slots.ts';
import { isOfTheMoment } from '../fetcher/fetch-result.ts';
import type { Fetcher, FetchRequest } from '../fetcher/fetcher.ts';
import { ArrivingFile } from './arriving-file.ts';
import type { CachedEntry, CachedMedia, NewFile } from './cached-media.ts';
import { remoteMediaLimits as limits } from './limits.ts';

export interface RemoteDownloadsOptions {
  readonly fetcher: Fetcher;
  readonly cached: CachedMedia;
  readonly pool: Pool;
  /** Of a folder for downloads, on the file system of the copies. */
  readonly incomingFolder: string;
  /** Bytes of a film or sound. */
  readonly playedBytesMax: number;
  /** What made room for others. */
  evicted(bytes: number): void;
}

export interface Wanted {
  readonly url: URL;
  readonly key: string;
  readonly media: ProxiedMedia;
  /** Files of a server of another name lie at its host. */
  readonly isBeside: boolean;
}

export type Downloaded =
  | { readonly state: 'fetched'; readonly entry: CachedEntry }
  /** `isBad`: it came, and is nothing that can be shown. */
  | { readonly state: 'refused' | 'unreachable'; readonly isBad: boolean };

export interface Download {
  /** Rejects with temporary Failures. */
  readonly done: Promise<Downloaded>;
  readonly arriving: ArrivingFile;
}

const pictureTask = taskModule('services/media/decode-picture.task');

export class RemoteDownloads {
  private readonly options: RemoteDownloadsOptions;
  private readonly byKey = new Map<string, Download>();
  private readonly byPath = new Map<string, ArrivingFile>();
  private readonly pictureSlots = new Slots(limits.picturesUnderWayMax);
  private readonly playedSlots = new Slots(limits.playedUnderWayMax);

  constructor(options: RemoteDownloadsOptions) {
    this.options = options;
  }

  underWay(key: string): Download | undefined {
    return this.byKey.get(key);
  }

  /** Of the file that is being written at this path. */
  arriving(path: string): ArrivingFile | undefined {
    return this.byPath.get(path);
  }

  /** Call where none is under way. Throws Failure overloaded. */
  begin(wanted: Wanted): Download {
    if (this.byKey.size >= limits.waitingMax) throw new Failure('overloaded');
    const folder = join(this.options.incomingFolder, randomUUID());
    const arriving = new ArrivingFile(join(folder, 'download'));
    const slots = wanted.media.form === 'played' ? this.playedSlots : this.pictureSlots;
    const done = slots
      .run(() => this.fetch(wanted, folder, arriving))
      .finally(() => {
        this.byKey.delete(wanted.key);
        this.byPath.delete(arriving.path);
        arriving.end();
      });
    const download = { done, arriving };
    this.byKey.set(wanted.key, download);
    this.byPath.set(arriving.path, arriving);
    return download;
  }

  private async fetch(wanted: Wanted, folder: string, arriving: ArrivingFile): Promise<Downloaded> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const state = await this.download(wanted, arriving);
      if (state !== 'downloaded') return { state, isBad: false };
      const files = await this.made(wanted.media, arriving.path, join(folder, 'decoded'));
      if (files === undefined) return { state: 'refused', isBad: true };
      const { entry, evictedBytes } = await this.options.cached.put(wanted.url.host, wanted.key, files);
      if (evictedBytes > 0) this.options.evicted(evictedBytes);
      return { state: 'fetched', entry };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async download(
    { url, media, isBeside }: Wanted,
    arriving: ArrivingFile,
  ): Promise<'downloaded' | 'refused' | 'unreachable'> {
    const { fetcher, playedBytesMax } = this.options;
    const { path } = arriving;
    const { pictureMilliseconds, playedMilliseconds } = limits;
    const asked: Omit<FetchRequest, 'url'> =
      media.form === 'played'
        ? {
            accept: 'video/*, audio/*',
            bytesMax: playedBytesMax,
            file: { path, totalMilliseconds: playedMilliseconds, arrived: (...more) => arriving.grow(...more) },
          }
        : {
            accept: 'image/*',
            bytesMax: mediaLimits.imageBytesMax,
            file: { path, totalMilliseconds: pictureMilliseconds },
          };
    const result = await fetcher.get({ url: url.href, isBeside, ...asked });
    if (result.ok) return 'downloaded';
    return isOfTheMoment(result) ? 'unreachable' : 'refused';
  }

  /** Undefined for a file that cannot be shown. Throws temporary Failures. */
  private async made({ form }: ProxiedMedia, file: string, folder: string): Promise<NewFile[] | undefined> {
    const sniffed = await sniffFile(file);
    const isPicture = sniffed?.kind === 'image';
    if (sniffed === undefined || isPicture === (form === 'played')) return undefined;
    if (form !== 'played') return this.decoded(form, file, folder);
    const ending = endingOf(sniffed.mediaType);
    return ending === undefined ? undefined : [{ part: 'original', file, ending }];
  }

  private async decoded(form: PictureFormName, file: string, folder: string): Promise<NewFile[] | undefined> {
    if ((await stat(file)).size > pictureForms[form].bytesMax) return undefined;
    const task: PictureTask = { file, folder, form };
    try {
      const { pool } = this.options;
      const picture = await pool.run<DecodedPicture>(
        pictureTask,
        'decodePicture',
        task,
        mediaLimits.pictureMilliseconds,
      );
      return (['original', 'preview', 'still'] as const).flatMap((part) => {
        const made = picture[part];
        const ending = made && endingOf(made.mediaType);
        return made === undefined || ending === undefined ? [] : [{ part, file: made.file, ending }];
      });
    } catch (error) {
      if (error instanceof TaskKilled || (error instanceof Failure && !isTemporary(error))) return undefined;
      throw error;
    }
  }
}
