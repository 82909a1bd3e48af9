/**
 * Files of other servers to be shown here: from their copies (cached-media.ts), or downloaded on demand
 * (remote-downloads.ts). A file that cannot be shown is refused for a while that grows; one that cannot be reached is asked
 * for again as the fetcher allows.
 */
import { createHash } from 'node:crypto';
import { dayOf } from '../../actors/session/session.messages.ts';
import type { Caches } from '../../services/caches.ts';
import { type ProxiedMedia, proxiedMedia } from '../../services/media/proxied-media.ts';
import type {
  Arrival,
  ArrivalRequest,
  HostUsage,
  RemoteFileReply,
  RemoteFileRequest,
  RemovedCount,
  RemovedMedia,
} from '../../services/media/remote-media.ts';
import { FailureMemory } from '../fetcher/failure-memory.ts';
import { fetchFailure } from '../fetcher/fetch-result.ts';
import { parseRemoteUrl } from '../fetcher/remote-policy.ts';
import type { ArrivingFile } from './arriving-file.ts';
import { type CachedEntry, cachedName } from './cached-media.ts';
import { remoteMediaLimits as limits } from './limits.ts';
import {
  type Download,
  type Downloaded,
  RemoteDownloads,
  type RemoteDownloadsOptions,
  type Wanted,
} from './remote-downloads.ts';
import { within } from './within.ts';

export interface RemoteFilesOptions extends RemoteDownloadsOptions {
  readonly caches: Caches;
  /** Whether staff want no media of this host[:port] to be shown. `isBeside`: files of a server of another name lie there. */
  rejectsMedia(host: string, isBeside: boolean): boolean;
  /** Each answer with a file, or that there is none. */
  counted(outcome: RemoteMediaOutcome): void;
}

export const remoteMediaOutcomes = ['kept', 'fetched', 'refused', 'unreachable'] as const;
export type RemoteMediaOutcome = (typeof remoteMediaOutcomes)[number];

export class RemoteFiles {
  private readonly options: RemoteFilesOptions;
  private readonly downloads: RemoteDownloads;
  private readonly badFiles: FailureMemory;

  constructor(options: RemoteFilesOptions) {
    this.options = options;
    this.downloads = new RemoteDownloads(options);
    this.badFiles = new FailureMemory(options.caches.bytesMax('badMedia'));
    options.caches.measure('badMedia', this.badFiles);
  }

  async file({ kind, address, servers = [], mayFetch }: RemoteFileRequest): Promise<RemoteFileReply> {
    const { cached, fetcher, rejectsMedia, counted } = this.options;
    const isBeside = servers.length > 0;
    const target = parseRemoteUrl(address, fetcher.connections.policy, isBeside);
    if (!target.ok || !cached.accepts(target.url.host)) return { state: 'refused' };
    if (rejectsMedia(target.url.host, isBeside)) return { state: 'refused' };
    if (servers.some((server) => rejectsMedia(server, false))) return { state: 'refused' };
    await cached.ready();
    const media = proxiedMedia[kind];
    const wanted: Wanted = { url: target.url, key: keyOf(media.form, target.url.href), media, isBeside };
    const known = cached.find(wanted.url.host, wanted.key);
    if (known !== undefined) {
      counted('kept');
      return { state: 'kept', path: partOf(known, media) };
    }
    const running = this.downloads.underWay(wanted.key);
    const arriving = running && replyOf(running.arriving, wanted);
    if (arriving !== undefined) return arriving;
    if (!mayFetch) return { state: 'absent' };
    if (running === undefined && this.badFiles.find(wanted.key, fetcher.connections.monotonic()) !== undefined) {
      counted('refused');
      return { state: 'refused' };
    }
    return this.awaited(running ?? this.begin(wanted), wanted);
  }

  async arrival({ path, beyond }: ArrivalRequest): Promise<Arrival> {
    const arriving = this.downloads.arriving(path);
    return arriving === undefined ? { bytes: 0, isOver: true } : arriving.beyond(beyond, limits.answerMilliseconds);
  }

  async usage(): Promise<HostUsage[]> {
    const { cached } = this.options;
    await cached.ready();
    const hosts = new Map<string, { host: string; files: number; bytes: number; days: Map<number, number> }>();
    for (const { host, files, bytes, viewedAt } of cached.matching(() => true)) {
      const usage = hosts.get(host) ?? { host, files: 0, bytes: 0, days: new Map<number, number>() };
      usage.files += files.length;
      usage.bytes += bytes;
      const day = dayOf(viewedAt);
      usage.days.set(day, (usage.days.get(day) ?? 0) + bytes);
      hosts.set(host, usage);
    }
    return [...hosts.values()].map(({ days, ...usage }) => ({ ...usage, bytesByDay: [...days] }));
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

  private async awaited({ done, arriving }: Download, wanted: Wanted): Promise<RemoteFileReply> {
    const shown = arriving.isShown.then(() => undefined);
    const downloaded = await within(limits.answerMilliseconds, Promise.race([done, shown]));
    if (downloaded === undefined) return replyOf(arriving, wanted) ?? { state: 'coming' };
    if (downloaded.state === 'fetched') return { state: 'kept', path: partOf(downloaded.entry, wanted.media) };
    return { state: downloaded.state };
  }

  private begin(wanted: Wanted): Download {
    const download = this.downloads.begin(wanted);
    download.done.then(
      (downloaded) => this.ended(wanted, downloaded),
      () => this.options.counted('unreachable'),
    );
    return download;
  }

  private ended({ key, url }: Wanted, downloaded: Downloaded): void {
    this.options.counted(downloaded.state);
    if (downloaded.state === 'fetched') this.badFiles.forget(key);
    else if (downloaded.isBad) this.rememberBad(key, url);
  }

  private rememberBad(key: string, url: URL): void {
    const { badFileMillisecondsMin: minimum, badFileMillisecondsMax: maximum } = limits;
    const failure = fetchFailure('invalid', `${url.host} sent something else`);
    this.badFiles.keepLonger(key, failure, minimum, maximum, this.options.fetcher.connections.monotonic());
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

/** Undefined for what is not shown before it is whole. */
function replyOf({ path, shown }: ArrivingFile, { key, media }: Wanted): RemoteFileReply | undefined {
  if (shown === undefined) return undefined;
  const { ending, byteLength } = shown;
  return { state: 'arriving', path, name: cachedName(key, media.part, ending), byteLength };
}

/** What does not move has no still part: the original is one. */
function partOf({ files }: CachedEntry, { part }: ProxiedMedia): string {
  return (files.find((file) => file.part === part) ?? files[0]!).path;
}
