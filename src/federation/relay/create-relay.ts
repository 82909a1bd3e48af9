/** The lanes of the relay on a network thread, and what gateways ask of it there. */

import { relayActorId } from '../../actors/intents.ts';
import { relayAppended } from '../../actors/relay/relay.events.ts';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import { partitionOfRelay } from '../../actors/relay/relay.queries.ts';
import type { RemoteConnections } from '../../outbound/fetcher/connections.ts';
import { type Delivery, deliver } from '../../outbound/fetcher/deliver.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { Lanes } from '../../outbound/lanes/lanes.ts';
import type { LaneHost } from '../../outbound/lanes/log.ts';
import { createMeasuredLanes } from '../../outbound/lanes/measured-lanes.ts';
import type { LanePorts } from '../../outbound/lanes/ports.ts';
import { type LaneCounters, lanePorts } from '../../outbound/lanes/real-ports.ts';
import { dialectsOf } from '../../outbound/signatures/dialects.ts';
import { signForAll, signRequest } from '../../outbound/signatures/sign-request.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { EventHub } from '../../services/event-hub.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import { type RelayLaneReport, relayDoctorTopic, relayLanesTopic } from '../../services/relay.ts';
import { stoppedHosts } from '../delivery/stopped-hosts.ts';
import { ignoreFailure } from '../failures.ts';
import type { LocalSigners } from '../local-signers.ts';
import { relayBounds } from './limits.ts';
import { RelayDoctor } from './relay-doctor.ts';
import { type EgressLimits, RelayEgress } from './relay-egress.ts';
import type { RelayDrop } from './relay-entry.ts';
import { RelayFetches } from './relay-fetches.ts';
import { RelayLog } from './relay-log.ts';
import { RelayReceivers } from './relay-receivers.ts';
import { type RelayRequestPorts, RelayRequests } from './relay-requests.ts';

const kilobyte = 1_000;

export interface RelayCounters extends LaneCounters {
  /** Subscribers that do not get something; counted for the operator. */
  dropped(why: RelayDrop): void;
}

export interface RelayRole {
  readonly lanes: Lanes;
  readonly answerers: readonly (readonly [string, Answerer])[];
}

export type RelayServices = Pick<
  NetworkServices,
  | ('addresses' | 'snapshots' | 'events' | 'caches' | 'members' | 'index' | 'count' | 'options')
  | ('now' | 'monotonic' | 'report')
> & { readonly client: Pick<NetworkServices['client'], 'call'> };

export function createRelay(
  services: RelayServices & Pick<NetworkServices, 'client'>,
  { fetcher, connections, signers }: { fetcher: Fetcher; connections: RemoteConnections; signers: LocalSigners },
  counters: RelayCounters,
): RelayRole {
  const signer = (): RequestSigner | Promise<RequestSigner> => {
    const found = signers.find(relayActorId);
    if (found !== undefined) return found;
    return Promise.resolve(secretsOf(services)).then(async () => (await signers.find(relayActorId))!);
  };
  const fetches = new RelayFetches(fetcher, async () => signer());
  const send = (delivery: Delivery) => deliver(connections, delivery);
  const { snapshots, addresses, now } = services;
  const doctor = new RelayDoctor({ snapshots, addresses, fetches, signer: async () => signer(), send, now });
  const ports = lanePorts({ ...services, ...counters });
  const egress = new RelayEgress(egressLimits(services), ports);
  const { lanes, report } = createRelayLanes(services, {
    ...ports,
    egressTurn: (number, bytes) => egress.turnOf(number, bytes),
    dropped: counters.dropped,
    signer,
    sign: signRequest,
    dialects: dialectsOf(services),
    signForAll,
    isSharing: services.options.relaySharedSignature,
    send,
    isSuspended: (host) => domainPolicy(services).isSuspended(host),
  });
  return {
    lanes,
    answerers: [
      ...fetches.answerers,
      [relayDoctorTopic, (request) => doctor.examine((request as { readonly host: string }).host)],
      [relayLanesTopic, async () => report()],
    ],
  };
}

/** Network threads divide the subscribers, and what may be sent in total. */
function egressLimits({ options, count }: Pick<RelayServices, 'options' | 'count'>): EgressLimits {
  const { relayEgress, relaySubscriberEgress } = options;
  return { total: (relayEgress * kilobyte) / count, perSubscriber: relaySubscriberEgress * kilobyte };
}

export type RelayLanePorts = LanePorts &
  Omit<RelayRequestPorts, 'delivered' | 'takesShared' | 'learned'> &
  Pick<RelayCounters, 'dropped'> & {
    /** Whether one signature may serve all that take it. */
    readonly isSharing: boolean;
  };

/** What was counted of one lane since the start. */
interface Tally {
  delivered: number;
  tooOld: number;
  overwritten: number;
  filtered: number;
}

const tallied = { 'too old': 'tooOld', overwritten: 'overwritten', filtered: 'filtered' } as const;

/** All subscribers are in one log, wherever their names would place them: see decision "the relay is one actor". */
export function createRelayLanes(
  services: RelayServices,
  ports: RelayLanePorts,
): { lanes: Lanes; report(): RelayLaneReport[] } {
  const { addresses, snapshots, client, events, caches, index, count } = services;
  const partition = partitionOfRelay(snapshots.placement);
  const receivers = new RelayReceivers(snapshots, events);
  const tallies = new Map<number, Tally>();
  const tallyOf = (number: number): Tally => {
    const known = tallies.get(number);
    if (known !== undefined) return known;
    const made = { delivered: 0, tooOld: 0, overwritten: 0, filtered: 0 };
    tallies.set(number, made);
    return made;
  };
  const delivered = (number: number) => {
    tallyOf(number).delivered += 1;
  };
  const learned = ({ host, number }: LaneHost, takesShared: boolean) => {
    receivers.learn(number, takesShared);
    // Lost where it cannot be stored now: it is found out again after the next start.
    void client.call(Relay.signatureLearned.to(relayKey, { host, takesShared }), 'system').catch(ignoreFailure);
  };
  const takesShared = (number: number) => ports.isSharing && receivers.all.get(number)?.takesShared;
  const requestPorts = { ...ports, delivered, learned, takesShared };
  const requests = new RelayRequests(addresses, requestPorts, caches.bytesMax('preparedRelayed'));
  const log = new RelayLog({
    ...{ reader: snapshots, client, index, count },
    source: {
      receivers,
      now: () => ports.now(),
      prepare: (entry) => requests.prepare(entry),
      dropped(number, why) {
        tallyOf(number)[tallied[why]] += 1;
        ports.dropped(why);
      },
    },
  });
  const stops = stoppedHosts(services);
  const lanes = createMeasuredLanes({
    logs: [log],
    holds: (host) => stops.holds(host),
    events: eventsOf(events, partition),
    appendedEvent: relayAppended.number,
    placement: { networkOf: (slot) => snapshots.placement.networkOf(slot), partitionOf: () => 0 },
    index,
    caches,
    entries: 'relayed',
    queues: 'queuedRelayed',
    progressMilliseconds: relayBounds.progressMilliseconds,
    ports,
  });
  stops.follow(lanes);
  caches.measure('preparedRelayed', requests);
  const report = () =>
    lanes.laneReport().flatMap((lane) => {
      const number = receivers.numberOf(lane.host);
      return number === undefined ? [] : { ...lane, number, ...tallyOf(number) };
    });
  return { lanes, report };
}

/** Lanes number the partitions of their logs: there is one, whichever partition has it. */
function eventsOf(events: EventHub, partition: number): Pick<EventHub, 'subscribe' | 'onLoss'> {
  return {
    subscribe: (listener) =>
      events.subscribe((batch, recipients) => {
        if (batch.partition === partition) listener({ ...batch, partition: 0 }, recipients);
      }),
    onLoss: (callback) => events.onLoss(callback),
  };
}
