/** What network threads do: runners of effects, answers to gateways, tasks. The registry of each. */
import { profileChanged } from '../actors/account/profile/profile.events.ts';
import { domainPolicyChanged } from '../actors/instance/domains/domains.events.ts';
import { deliveryDecided } from '../actors/instance/servers/servers.events.ts';
import { deliveryAppended, mailAppended, pushAppended, webhookAppended } from '../actors/partition/partition.events.ts';
import { relayAppended, subscriptionChanged } from '../actors/relay/relay.events.ts';
import { AccountKeys } from '../federation/account-keys.ts';
import { createDelivery } from '../federation/delivery/create-delivery.ts';
import { LocalSigners } from '../federation/local-signers.ts';
import { createRelay, type RelayCounters } from '../federation/relay/create-relay.ts';
import { createRemoteRole, type ThreadCounters } from '../federation/remote-objects/remote-role.ts';
import { webhookDocument } from '../gateway/entities/webhook-document.ts';
import { domainPolicyRunner } from '../operations/administration/apply-domain-policy.ts';
import { purgeServerRunner } from '../operations/administration/purge-slice.ts';
import { mailRecipientsRunner, termsReadersRunner } from '../operations/announcements/mail-recipients.ts';
import { cardRunner } from '../operations/cards/fetch-card.ts';
import { cleanupRunner } from '../operations/cleanup/cleanup-runner.ts';
import { domainListRunner } from '../operations/domain-lists/domain-list-runner.ts';
import { triedList } from '../operations/domain-lists/tried-list.ts';
import { importRunner } from '../operations/imports/import-runner.ts';
import { postsRunners } from '../operations/imports/posts/posts-runners.ts';
import { inviteRunner } from '../operations/invites/follow-creator.ts';
import { keysOfAllRunner } from '../operations/keys/keys-of-all.ts';
import { archiveRunner } from '../operations/leaving/archive/archive-runner.ts';
import { serversRunner } from '../operations/leaving/find-servers.ts';
import { abandonedFiles } from '../operations/media/abandoned-files.ts';
import { mediaRunners } from '../operations/media/media-runners.ts';
import { storePicture } from '../operations/media/store-picture.ts';
import { pollAudienceRunner } from '../operations/polls/poll-audience.ts';
import { retentionRule } from '../operations/retention/retention-rule.ts';
import { type RetentionCounters, retentionRunner } from '../operations/retention/retention-runner.ts';
import { scheduledRunner } from '../operations/scheduled/publish-scheduled.ts';
import { reviewReminder } from '../operations/trends/tell-awaited-reviews.ts';
import { type ConnectionOptions, createConnections } from '../outbound/fetcher/connections.ts';
import { Fetcher } from '../outbound/fetcher/fetcher.ts';
import { createDnsResolver, createSystemResolver } from '../outbound/fetcher/name-resolver.ts';
import type { RemotePolicy } from '../outbound/fetcher/remote-policy.ts';
import type { LaneCounts } from '../outbound/lanes/lane-report.ts';
import { laneLimits } from '../outbound/lanes/limits.ts';
import type { LaneCounters } from '../outbound/lanes/real-ports.ts';
import { createMail, type MailCounters } from '../outbound/mail/create-mail.ts';
import { createRemoteMedia, type RemoteMediaCounters } from '../outbound/media/media-role.ts';
import { dialectsOf } from '../outbound/signatures/dialects.ts';
import { createTranslation } from '../outbound/translation/translation-role.ts';
import { createPush, type PushCounters } from '../outbound/web-push/create-push.ts';
import { createWebhooks, type WebhookCounters } from '../outbound/webhooks/create-webhooks.ts';
import type { EffectRunner } from '../runtime/effects.ts';
import {
  type AskedHosts,
  heardFromTopic,
  lanesOfHostsTopic,
  lanesTopic,
  type RetriedHosts,
  retryTopic,
} from '../services/delivery-lanes.ts';
import { type ListToTry, tryDomainListTopic } from '../services/domain-lists.ts';
import { domainPolicy } from '../services/domain-policy.ts';
import { storingOnce } from '../services/media/network-pictures.ts';
import { type ReceivedPicture, storePictureTopic } from '../services/media/pictures.ts';
import type { Answerer, NetworkServices, NetworkTask } from '../services/network-services.ts';
import { awaitedEvents } from '../services/revocation-barrier.ts';
import { software } from '../services/software.ts';

/** The events that network threads need (lanes, known accounts, rules for other servers, the revocation barrier). */
export const networkEvents: readonly number[] = [
  deliveryAppended.number,
  pushAppended.number,
  relayAppended.number,
  subscriptionChanged.number,
  mailAppended.number,
  webhookAppended.number,
  profileChanged.number,
  domainPolicyChanged.number,
  deliveryDecided.number,
  ...awaitedEvents,
];

export interface NetworkRole {
  readonly effects: ReadonlyMap<number, EffectRunner<unknown, unknown>>;
  readonly answerers: ReadonlyMap<string, Answerer>;
  readonly tasks: readonly NetworkTask[];
  countLanes(): LaneCounts;
  /** Bytes of the copies of remote media. */
  mediaBytes(): number;
  countPushLanes(): LaneCounts;
  countRelayLanes(): LaneCounts;
  countMailLanes(): LaneCounts;
  countWebhookLanes(): LaneCounts;
}

/** What lanes count, of deliveries, push messages, mails and webhooks, and what copies of remote media and threads do. */
export interface NetworkCounters {
  readonly deliveries: LaneCounters;
  readonly pushes: PushCounters;
  readonly relay: RelayCounters;
  readonly mails: MailCounters;
  readonly webhooks: WebhookCounters;
  readonly media: RemoteMediaCounters;
  readonly threads: ThreadCounters;
  readonly retention: RetentionCounters;
}

export function createNetworkRole(services: NetworkServices, counters: NetworkCounters): NetworkRole {
  const { federationAllowPrivate: allowPrivate } = services.options;
  const pushConnections = createConnections(connectionOptions(services, allowPrivate));
  // Rules of staff are about servers that federate: not about those that pass messages on to browsers.
  const connections = { ...pushConnections, policy: withRules(services, pushConnections.policy) };
  const privateConnections = createConnections(connectionOptions(services, true));
  const signers = new LocalSigners(services, new AccountKeys(services));
  const fetcher = new Fetcher(connections, services.caches, dialectsOf(services));
  const remote = createRemoteRole(services, fetcher, signers, counters.threads);
  const signedDocuments = services.options.documentSignatures ? services.signedDocuments : undefined;
  const deliveryLanes = createDelivery({ ...services, signedDocuments, ...counters.deliveries }, connections, signers);
  const pushLanes = createPush(services, pushConnections, privateConnections, counters.pushes);
  const relay = createRelay(services, { fetcher, connections, signers }, counters.relay);
  const storeOnce = storingOnce((received) => storePicture(services, received));
  const mail = createMail(services, counters.mails);
  const webhooks = createWebhooks(
    services,
    { public: pushConnections, private: privateConnections },
    webhookDocument(services),
    counters.webhooks,
  );
  const translation = createTranslation(services);
  const remoteMedia = createRemoteMedia(services, fetcher, counters.media);
  const retry = (host: string | undefined) =>
    [deliveryLanes, pushLanes, relay.lanes, mail.lanes, webhooks].reduce((sum, lanes) => sum + lanes.retry(host), 0);
  return {
    effects: new Map([
      ...remote.effects,
      scheduledRunner(services),
      pollAudienceRunner(services),
      mailRecipientsRunner(services),
      keysOfAllRunner(services),
      termsReadersRunner(services),
      ...mediaRunners(services),
      domainPolicyRunner(services),
      purgeServerRunner(services),
      cardRunner(services, fetcher),
      domainListRunner(services, fetcher),
      serversRunner(services),
      archiveRunner(services),
      importRunner(services),
      ...postsRunners(services),
      cleanupRunner(services),
      inviteRunner(services),
      retentionRunner(services, counters.retention),
    ]),
    answerers: new Map([
      ...remote.answerers,
      ...relay.answerers,
      ...translation.answerers,
      ...remoteMedia.answerers,
      ...mail.answerers,
      [lanesTopic, async () => [...deliveryLanes.laneReport(), ...pushLanes.laneReport()]],
      [lanesOfHostsTopic, async (request) => deliveryLanes.reportOf(new Set((request as AskedHosts).hosts))],
      [retryTopic, async (request) => retry((request as RetriedHosts).host)],
      [tryDomainListTopic, (request) => triedList(services, fetcher, request as ListToTry)],
      [storePictureTopic, (request) => storeOnce(request as ReceivedPicture)],
      [
        heardFromTopic,
        async (host) => {
          deliveryLanes.heardFrom(host as string);
          relay.lanes.heardFrom(host as string);
        },
      ],
    ]),
    countLanes: () => deliveryLanes.laneCounts(),
    mediaBytes: remoteMedia.bytes,
    countPushLanes: () => pushLanes.laneCounts(),
    countRelayLanes: () => relay.lanes.laneCounts(),
    countMailLanes: () => mail.lanes.laneCounts(),
    countWebhookLanes: () => webhooks.laneCounts(),
    tasks: [
      reviewReminder(services),
      retentionRule(services),
      abandonedFiles(services),
      {
        start: () => {
          deliveryLanes.start();
          pushLanes.start();
          relay.lanes.start();
          mail.start();
          webhooks.start();
        },
        stop: async () => {
          const { stopMilliseconds, handoverMilliseconds } = laneLimits;
          const within = services.options.cluster === undefined ? stopMilliseconds : handoverMilliseconds;
          const all = [deliveryLanes, pushLanes, relay.lanes, mail.lanes, webhooks];
          await Promise.all(all.map((lanes) => lanes.stop(within)));
          mail.close();
          await Promise.all([connections.close(), privateConnections.close()]);
          await translation.close();
        },
      },
    ],
  };
}

/** Suspended servers are asked for nothing, and sent nothing. */
function withRules(services: NetworkServices, policy: RemotePolicy): RemotePolicy {
  return {
    ...policy,
    isRefusedHost(host, isBeside) {
      const rules = domainPolicy(services);
      return (
        policy.isRefusedHost(host, isBeside) || (isBeside ? rules.rejectsMedia(host, true) : rules.isSuspended(host))
      );
    },
  };
}

function connectionOptions(
  { options, addresses, now, monotonic }: NetworkServices,
  allowPrivate: boolean,
): ConnectionOptions {
  const { federationAllowHttp: allowHttp } = options;
  return {
    // Names of a closed network, such as those in a hosts file, are known to the system only.
    resolver: allowPrivate ? createSystemResolver() : createDnsResolver(),
    policy: { allowPrivate, allowHttp, isRefusedHost: (host) => addresses.isOwnHost(host) },
    now,
    monotonic,
    userAgent: `Murmuration/${software.version} (+${addresses.origin}/)`,
  };
}
