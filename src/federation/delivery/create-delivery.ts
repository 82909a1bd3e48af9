/** Connects the lanes of a network thread to the real clock, timers, thread pool, connections and actors. */
import { cacheables } from '../../actors/cacheables.ts';
import { hasJoinedRelays } from '../../actors/relay/joined/joined.queries.ts';
import type { RemoteConnections } from '../../outbound/fetcher/connections.ts';
import { deliver } from '../../outbound/fetcher/deliver.ts';
import type { Lanes } from '../../outbound/lanes/lanes.ts';
import { type LaneCounters, lanePorts } from '../../outbound/lanes/real-ports.ts';
import { dialectsOf } from '../../outbound/signatures/dialects.ts';
import { signRequest } from '../../outbound/signatures/sign-request.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { AccountKeys } from '../account-keys.ts';
import { translateIntent } from '../documents/intents.ts';
import { activityLimits } from '../limits.ts';
import { LocalSigners } from '../local-signers.ts';
import { refreshWhenOld } from '../remote-objects/refresh-when-old.ts';
import { createActivityLanes } from './activity-lanes.ts';
import { DocumentSigner } from './document-signer.ts';
import { FollowersDigests } from './followers-digests.ts';
import { accountsAt } from './gone-inbox.ts';
import { stoppedHosts } from './stopped-hosts.ts';

export function createDelivery(
  services: Pick<
    NetworkServices,
    'addresses' | 'snapshots' | 'events' | 'caches' | 'members' | 'index' | 'count' | 'now' | 'monotonic' | 'report'
  > & {
    readonly client: Pick<NetworkServices['client'], 'call'>;
    readonly trace?: NetworkServices['trace'];
    /** Absent where the operator wants no signatures of documents. */
    readonly signedDocuments?: NetworkServices['signedDocuments'] | undefined;
  } & Partial<LaneCounters>,
  connections: RemoteConnections,
  signers: Pick<LocalSigners, 'find'> = new LocalSigners(services, new AccountKeys(services)),
): Lanes {
  const { addresses, client, snapshots, events, caches, index, count } = services;
  const { signedDocuments } = services;
  const hasRelays = () => hasJoinedRelays(snapshots);
  const documents = signedDocuments && new DocumentSigner(signedDocuments, () => services.now(), hasRelays);
  const stops = stoppedHosts(services);
  const isSuspended = (host: string) => domainPolicy(services).isSuspended(host);
  const lanes = createActivityLanes({
    snapshots,
    client,
    events,
    caches,
    index,
    count,
    translate: (intent) => translateIntent(intent, snapshots, addresses),
    findSigner: (accountId, activityId) => signers.find(accountId, activityId),
    followersDigests: new FollowersDigests(services),
    holds: (host) => stops.holds(host),
    signDocument: documents && ((...given) => documents.sign(...given)),
    ports: {
      ...lanePorts(services),
      sign: signRequest,
      send: (delivery) => deliver(connections, delivery),
      inboxGone: (gone) => {
        try {
          for (const profile of accountsAt(snapshots, gone))
            refreshWhenOld(services, profile, { ageMilliseconds: activityLimits.unreachedProfileAgeMilliseconds });
        } catch (error) {
          const message = 'the accounts of an inbox that is gone could not be read';
          services.report({ level: 'error', message, error });
        }
      },
      isSuspended,
      dialects: dialectsOf(services),
      trace: services.trace,
    },
  });
  stops.follow(lanes);
  // What waits for a host that failed is tried, and thereby dropped; other lanes reach it by themselves.
  events.onInvalidation(cacheables.domainRule, (domain) => {
    if (domain === undefined) for (const { host } of lanes.laneReport()) if (isSuspended(host)) lanes.retry(host);
    if (domain !== undefined && isSuspended(domain)) lanes.retry(domain);
  });
  return lanes;
}
