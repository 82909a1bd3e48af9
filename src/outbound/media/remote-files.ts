/**
 * Fetches files of other servers to be shown here, once however many ask, and keeps copies below a quota
 * (cached-media.ts).
 *
 * 1. What a file is, its first bytes say: neither its server nor its sender is believed. Pictures are decoded in processes
 *    of the media pool into bounded forms, without anything that their makers did not mean to show; films and sounds are
 *    kept as they are, because making them anew takes minutes.
 * 2. A file that cannot be shown is refused for a while that grows; one that cannot be reached is asked for again as the
 *    fetcher allows.
 * 3. Nothing is left of a download that failed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { taskModule } from '../../options/project-files.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import type { Pool } from '../../runtime/pool.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import type { Caches } from '../../services/caches.ts';
import type { DecodedPicture, PictureTask } from '../../services/media/decode-picture.task.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import { endingOf } from '../../services/media/media-types.ts';
import { type PictureFormName, pictureForms } from '../../services/media/picture-forms.ts';
import { type ProxiedMedia, proxiedMedia } from '../../services/media/proxied-media.ts';
import type {
  HostUsage,
  RemoteFileReply,
  RemoteFileRequest,
  RemovedCount,
  RemovedMedia,
} from '../../services/media/remote-media.ts';
import { sniffFile } from '../../services/media/sniff-file.ts';
import { Slots } from '../../services/slots.ts';
import { FailureMemory } from '../fetcher/failure-memory.ts';
import { fetchFailure, isOfTheMoment } from '../fetcher/fetch-result.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import { parseRemoteUrl } from '../fetcher/remote-policy.ts';
import type { CachedEntry, CachedMedia, NewFile } from './cached-media.ts';
import { remoteMediaLimits as limits } from './limits.ts';

export interface RemoteFilesOptions {
  readonly fetcher: Fetcher;
  readonly cached: CachedMedia;
  readonly pool: Pool;
  readonly caches: Caches;
  /** Of a folder for downloads, on the file system of the copies. */
  readonly incomingFolder: string;
  /** Bytes of a film or sound. */
  readonly playedBytesMax: number;
  /** Whether the operator shows no media of this host[:port]. */
  rejectsMedia(host: string): boolean;
  /** Each answer with a file, or that there is none; and what made room for others. */
  counted(outcome: RemoteMediaOutcome): void;
  evicted(bytes: number): void;
}

export const remoteMediaOutcomes = ['kept', 'fetched', 'refused', 'unreachable'] as const;
export type RemoteMediaOutcome = (typeof remoteMediaOutcomes)[number];

type Fetched =
  | { readonly state: 'fetched'; readonly entry: CachedEntry }
  | { readonly state: 'refused' | 'unreachable' };

interface Wanted {
  readonly url: URL;
  readonly key: string;
  readonly media: ProxiedMedia;
}

const pictureTask = taskModule('services/media/decode-picture.task');

export class RemoteFiles {
  private readonly options: RemoteFilesOptions;
  private readonly underWay = new Map<string, Promise<Fetched>>();
  private readonly slots = new Slots(limits.underWayMax);
  private readonly badFiles: FailureMemory;

  constructor(options: RemoteFilesOptions) {
    this.options = options;
    this.badFiles = new FailureMemory(options.caches.bytesMax('badMedia'));
    options.caches.measure('badMedia', this.badFiles);
  }

  async file({ kind, address, mayFetch }: RemoteFileRequest): Promise<RemoteFileReply> {
    const { cached, fetcher, rejectsMedia, counted } = this.options;
    const target = parseRemoteUrl(address, fetcher.connections.policy);
    if (!target.ok || !cached.accepts(target.url.host) || rejectsMedia(target.url.host)) return { state: 'refused' };
    await cached.ready();
    const media = proxiedMedia[kind];
    const wanted: Wanted = { url: target.url, key: keyOf(media.form, target.url.href), media };
    const known = cached.find(wanted.url.host, wanted.key);
    if (known !== undefined) {
      counted('kept');
      return { state: 'kept', path: partOf(known, media) };
    }
    if (!mayFetch) return { state: 'absent' };
    const fetched = await within(limits.answerMilliseconds, this.fetchOnce(wanted));
    if (fetched === undefined) return { state: 'coming' };
    return fetched.state === 'fetched' ? { state: 'kept', path: partOf(fetched.entry, media) } : fetched;
  }

  async usage(): Promise<HostUsage[]> {
    const { cached } = this.options;
    await cached.ready();
    const hosts = new Map<string, { host: string; files: number; bytes: number }>();
    for (const { host, files, bytes } of cached.matching(() => true)) {
      const usage = hosts.get(host) ?? { host, files: 0, bytes: 0 };
      usage.files += files.length;
      usage.bytes += bytes;
      hosts.set(host, usage);
    }
    return [...hosts.values()];
  }

  async remove({ notViewedSince, host, addresses }: RemovedMedia): Promise<RemovedCount> {
    const { cached } = this.options;
    await cached.ready();
    const keys = addresses === undefined ? undefined : new Set(addresses.flatMap(keysOf));
    for (const key of keys ?? []) this.badFiles.forget(key);
    const removed = [
      ...cached.matching(
        (entry) =>
          (notViewedSince === undefined || entry.viewedAt < notViewedSince) &&
          (host === undefined || entry.host === host) &&
          (keys === undefined || keys.has(entry.key)),
      ),
    ];
    const files = removed.reduce((sum, entry) => sum + entry.files.length, 0);
    return { files, bytes: await cached.remove(removed) };
  }

  /** One flight for an address and form; the network thread of the host asks for it, so for the whole server. */
  private fetchOnce(wanted: Wanted): Promise<Fetched> {
    const running = this.underWay.get(wanted.key);
    if (running !== undefined) return running;
    const { counted, fetcher } = this.options;
    if (this.badFiles.find(wanted.key, fetcher.connections.monotonic()) !== undefined) {
      counted('refused');
      return Promise.resolve({ state: 'refused' });
    }
    if (this.underWay.size >= limits.waitingMax) throw new Failure('overloaded');
    const fetching = this.slots.run(() => this.fetch(wanted)).finally(() => this.underWay.delete(wanted.key));
    this.underWay.set(wanted.key, fetching);
    fetching.then(
      ({ state }) => counted(state),
      () => counted('unreachable'),
    );
    return fetching;
  }

  private async fetch(wanted: Wanted): Promise<Fetched> {
    const folder = join(this.options.incomingFolder, randomUUID());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const file = join(folder, 'download');
      const state = await this.download(wanted, file);
      if (state !== 'downloaded') return { state };
      const files = await this.made(wanted.media, file, join(folder, 'decoded'));
      if (files === undefined) return this.bad(wanted);
      const { entry, evictedBytes } = await this.options.cached.put(wanted.url.host, wanted.key, files);
      if (evictedBytes > 0) this.options.evicted(evictedBytes);
      this.badFiles.forget(wanted.key);
      return { state: 'fetched', entry };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async download({ url, media }: Wanted, path: string): Promise<'downloaded' | 'refused' | 'unreachable'> {
    const { fetcher, playedBytesMax } = this.options;
    const result = await fetcher.get({
      url: url.href,
      accept: media.form === 'played' ? 'video/*, audio/*' : 'image/*',
      bytesMax: media.form === 'played' ? playedBytesMax : mediaLimits.imageBytesMax,
      file: { path, totalMilliseconds: limits.downloadMilliseconds },
    });
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

  private bad({ key, url }: Wanted): Fetched {
    const { badFileMillisecondsMin: minimum, badFileMillisecondsMax: maximum } = limits;
    const failure = fetchFailure('invalid', `${url.host} sent something else`);
    this.badFiles.keepLonger(key, failure, minimum, maximum, this.options.fetcher.connections.monotonic());
    return { state: 'refused' };
  }
}

function keyOf(form: ProxiedMedia['form'], address: string): string {
  return createHash('sha256').update(`${form} ${address}`).digest('base64url');
}

/** Of all forms in which a file may be kept. */
function keysOf(address: string): string[] {
  const href = URL.parse(address)?.href.replace(/#.*$/, '');
  if (href === undefined) return [];
  return [...new Set(Object.values(proxiedMedia).map(({ form }) => form))].map((form) => keyOf(form, href));
}

/** What does not move has no still part: the original is one. */
function partOf({ files }: CachedEntry, { part }: ProxiedMedia): string {
  return (files.find((file) => file.part === part) ?? files[0]!).path;
}

/** Undefined when it takes longer. */
async function within<Value>(milliseconds: number, asked: Promise<Value>): Promise<Value | undefined> {
  const { promise: deadline, resolve: pass } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => pass(undefined), milliseconds);
  try {
    return await Promise.race([asked, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
