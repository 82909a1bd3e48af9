/** Composition of what all threads without actors share: the services of all operations. */
import type { Metrics } from '../runtime/metrics/metrics.ts';
import type { Clock, Problem } from '../runtime/ports.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import type { Client } from '../runtime/threads/client.ts';
import type { Thread } from '../runtime/threads/thread.ts';
import { Addresses } from '../services/addresses.ts';
import type { BlobStores } from '../services/blobs/blob-store.ts';
import { Caches } from '../services/caches.ts';
import type { CleanRemoteHtml } from '../services/clean-remote-html.ts';
import type { EventHub } from '../services/event-hub.ts';
import { Feeds } from '../services/feeds.ts';
import { KeptStatuses } from '../services/kept-statuses.ts';
import { IncomingFiles } from '../services/media/incoming-files.ts';
import { type MediaRules, mediaRules } from '../services/media/media-rules.ts';
import { MediaWaits } from '../services/media/media-waits.ts';
import { networkMedia } from '../services/media/network-media.ts';
import { networkPictures } from '../services/media/network-pictures.ts';
import { proxyKeyOf } from '../services/media/proxy-key.ts';
import { Members } from '../services/members.ts';
import { networkDomainLists } from '../services/network-domain-lists.ts';
import { networkLanes } from '../services/network-lanes.ts';
import { networkMail } from '../services/network-mail.ts';
import { networkPassedOn } from '../services/network-passed-on.ts';
import { networkRelay } from '../services/network-relay.ts';
import { networkStorage } from '../services/network-storage.ts';
import { networkTranslator } from '../services/network-translator.ts';
import { type AskNetwork, networkResolver } from '../services/resolver.ts';
import { RevocationBarrier } from '../services/revocation-barrier.ts';
import { searchOf, searchRole } from '../services/search/search.ts';
import type { Services } from '../services/services.ts';
import type { SignedDocuments } from '../services/signed-documents.ts';
import { TagHistories } from '../services/tag-histories.ts';
import { TimeSlices } from '../services/time-slices.ts';
import { Languages } from '../services/words/languages.ts';
import { joined } from './blob-store.ts';
import { incomingFolder, mediaCacheFolder } from './folder/data-folder.ts';
import { memoryOf, type Shared } from './shared.ts';

export interface ThreadParts extends Clock {
  readonly thread: Pick<Thread<Shared>, 'name' | 'counts'> & {
    readonly metrics?: Metrics;
    readonly shared: Pick<Shared, 'options' | 'ringMemory' | 'memory' | 'dataDirectory'>;
  };
  readonly client: Client;
  readonly snapshots: Snapshots;
  readonly events: EventHub;
  readonly blobStores: BlobStores;
  readonly cleanHtml: CleanRemoteHtml;
  readonly signedDocuments: SignedDocuments;
  readonly askNetwork: AskNetwork;
  report(problem: Problem): void;
}

export function createThreadServices({ thread, askNetwork, ...parts }: ThreadParts): Services {
  const { options, ringMemory, dataDirectory } = thread.shared;
  const { client, snapshots, events, now, monotonic, report } = parts;
  const slices = new TimeSlices();
  const members = new Members();
  const { origin, domain, mediaOrigin, relay } = options;
  const proxyKey = proxyKeyOf({ client, snapshots, now, members });
  const rejectsMedia: MediaRules['rejects'] = (...of) => mediaRules({ snapshots, events, members }).rejects(...of);
  const { role } = thread.name;
  const caches = new Caches({ role, bytes: memoryOf(thread.shared, role).cacheBytes, metrics: thread.metrics });
  const statuses = new KeptStatuses({ events, bytesMax: caches.bytesMax('homeStatuses') });
  caches.measure('homeStatuses', statuses);
  return {
    ...parts,
    options,
    addresses: new Addresses(origin, domain, mediaOrigin, proxyKey, relay === 'only', rejectsMedia),
    blobs: joined(parts.blobStores),
    incoming: new IncomingFiles(incomingFolder(dataDirectory)),
    mediaWaits: new MediaWaits(events),
    remoteMedia: networkMedia(askNetwork, client.placement, thread.counts.network),
    mediaCacheFolder: mediaCacheFolder(dataDirectory),
    pictures: networkPictures(askNetwork),
    caches,
    feeds: new Feeds({
      ...{ client, snapshots, slices, statuses, rings: ringMemory, monotonic, report },
      rebuildMilliseconds: options.homeRebuildMilliseconds,
    }),
    barrier: new RevocationBarrier({ client, events, gateways: gatewaysBeside(thread), report }),
    translator: options.translationOrigin === undefined ? undefined : networkTranslator(askNetwork),
    search: thread.counts[searchRole] === 1 ? searchOf(client) : undefined,
    deliveryLanes: networkLanes(askNetwork, {
      placement: client.placement,
      networkThreads: thread.counts.network,
      report,
    }),
    mail: networkMail(askNetwork, { isOn: options.smtpUrl !== undefined, networkThreads: thread.counts.network }),
    storage: networkStorage(askNetwork),
    domainLists: networkDomainLists(askNetwork, client.placement),
    resolver: networkResolver(askNetwork, client.placement, report),
    relay: networkRelay(askNetwork, {
      placement: client.placement,
      networkThreads: thread.counts.network,
      metrics: thread.metrics,
    }),
    passedOn: networkPassedOn(askNetwork, { placement: client.placement, metrics: thread.metrics }),
    languages: new Languages(options.language),
    tagHistories: new TagHistories({ snapshots, events, caches, now, monotonic }),
    members,
    slices,
  };
}

function gatewaysBeside({ name, counts }: ThreadParts['thread']): number[] {
  const { gateway: count = 0 } = counts;
  const gateways = Array.from({ length: count }, (_, index) => index);
  return gateways.filter((index) => name.role !== 'gateway' || index !== name.index);
}
