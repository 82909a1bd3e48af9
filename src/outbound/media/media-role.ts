/** Files of other servers on a network thread, for gateways and commands. */
import { join } from 'node:path';
import { slotOfKey } from '../../runtime/ids.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import {
  type ArrivalRequest,
  type RemoteFileRequest,
  type RemovedMedia,
  remoteArrivalTopic,
  remoteFileTopic,
  remoteMediaUsageTopic,
  removeRemoteMediaTopic,
} from '../../services/media/remote-media.ts';
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import { CachedMedia } from './cached-media.ts';
import { RemoteFiles, type RemoteMediaOutcome } from './remote-files.ts';

/** What they count. */
export interface RemoteMediaCounters {
  mediaAsked(outcome: RemoteMediaOutcome): void;
  mediaEvicted(bytes: number): void;
}

export interface RemoteMediaRole {
  readonly answerers: readonly (readonly [string, Answerer])[];
  /** Of the copies that this thread keeps. */
  readonly bytes: () => number;
}

/**
 * Each network thread keeps files of its hosts, and has an equal part of the quota. The folder is read with the first
 * question.
 */
export function createRemoteMedia(
  services: NetworkServices,
  fetcher: Fetcher,
  counters: RemoteMediaCounters,
): RemoteMediaRole {
  let opened: { readonly cached: CachedMedia; readonly files: RemoteFiles } | undefined;
  const files = () => {
    opened ??= open(services, fetcher, counters);
    return opened.files;
  };
  return {
    answerers: [
      [remoteFileTopic, (request) => files().file(request as RemoteFileRequest)],
      [remoteArrivalTopic, (request) => files().arrival(request as ArrivalRequest)],
      [remoteMediaUsageTopic, () => files().usage()],
      [removeRemoteMediaTopic, (request) => files().remove(request as RemovedMedia)],
    ],
    bytes: () => opened?.cached.bytes ?? 0,
  };
}

function open(services: NetworkServices, fetcher: Fetcher, counters: RemoteMediaCounters) {
  const { options, client, index, count, mediaCacheFolder: folder } = services;
  const bytesMax = Math.floor(options.mediaCache / count);
  const cached = new CachedMedia({
    folder: join(folder, 'hosts'),
    bytesMax,
    owns: (host) => client.placement.networkOf(slotOfKey(host)) === index,
    now: () => services.now(),
    failed: (error) => services.report({ level: 'warn', message: 'a view of a copy could not be noted', error }),
  });
  const files = new RemoteFiles({
    fetcher,
    cached,
    pool: services.mediaPool,
    caches: services.caches,
    incomingFolder: join(folder, 'incoming'),
    // So that one film does not drive out everything else.
    playedBytesMax: Math.min(mediaLimits.filmBytesMax, Math.floor(bytesMax / 4)),
    rejectsMedia: (...of) => domainPolicy(services).rejectsMedia(...of),
    counted: (outcome) => counters.mediaAsked(outcome),
    evicted: (bytes) => counters.mediaEvicted(bytes),
  });
  return { cached, files };
}
