/** Lanes over real partitions with simulated time, and hosts that respond as a test says. */

import { generateKeyPairSync } from 'node:crypto';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { domainActor } from '../../../src/actors/domain/domain.actor.ts';
import { Domain } from '../../../src/actors/domain/domain.messages.ts';
import type { DeliveryDecision } from '../../../src/actors/instance/servers/servers.events.ts';
import type { Destination, Intent } from '../../../src/actors/intents.ts';
import { partitionActor } from '../../../src/actors/partition/partition.actor.ts';
import { deliveryAppended } from '../../../src/actors/partition/partition.events.ts';
import { PartitionActor } from '../../../src/actors/partition/partition.messages.ts';
import { deliveryLog } from '../../../src/actors/partition/partition.state.ts';
import { firstOf } from '../../../src/actors/policy/domains.ts';
import { createActivityLanes } from '../../../src/federation/delivery/activity-lanes.ts';
import type { DeliveryPorts } from '../../../src/federation/delivery/ports.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import type { Verdict } from '../../../src/outbound/lanes/outcome.ts';
import type { RequestSigner } from '../../../src/outbound/signatures/types.ts';
import { slotOfKey } from '../../../src/runtime/ids.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import type { Keyspace } from '../../../src/runtime/storage/keyspace.ts';
import type { LaneReport } from '../../../src/services/delivery-lanes.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { SimulatedTime } from '../../outbound/lanes/simulated-time.ts';
import { createTestServer } from '../../support/actors.ts';
import { roomyCaches } from '../../support/caches.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { draftCavageOnly } from '../../support/only.ts';

export const alice = 1_000n;
export const bob = 2_000n;

export interface Sent {
  readonly at: number;
  readonly host: string;
  readonly inbox: string;
  readonly kind: Intent['kind'];
  /** What it is about: of a status its id. */
  readonly about: bigint;
}

/** How a host answers: a status, or a whole result; at once unless a time is given. */
export interface Answer {
  readonly result: DeliveryResult;
  readonly afterMilliseconds?: number;
}
type Behaviour = (sent: Sent) => Answer | DeliveryResult | number;

export const unreachable: DeliveryResult = {
  ok: false,
  kind: 'unreachable',
  fault: 'connectFailed',
  detail: 'refused',
};

export function status(code: number, retryAfterMilliseconds?: number): DeliveryResult {
  return { ok: true, status: code, retryAfterMilliseconds };
}

export function slow(afterMilliseconds: number, code = 202): Answer {
  return { result: status(code), afterMilliseconds };
}

export interface LanesBed {
  /** Everything that was sent so far, by all threads and all their lives. */
  readonly sent: readonly Sent[];
  readonly problems: readonly string[];
  /** Inboxes of which the lanes said that they are not there. */
  readonly gone: readonly string[];
  /** Requests by their outcome. */
  readonly attempts: ReadonlyMap<Verdict, number>;
  /** Waits that were shortened because a host was heard from. */
  readonly waitsShortened: number;
  readonly started: number;
  now(): number;
  /** Sets the wall clock of the lanes ahead by so much, or back. */
  setClock(milliseconds: number): void;
  /** Requests that have no answer yet, at most at one time since the beginning. */
  readonly underWayMax: number;
  answer(host: string, behaviour: Behaviour): void;
  /** Somebody at the inbox follows the account. */
  follow(accountId: bigint, inbox: string, follower?: bigint): void;
  /** Appends an intent, as an account's turn does; heard by the lanes unless `isUnheard`. */
  tell(intent: Intent, audience: { followersOf?: bigint; to?: readonly string[]; isUnheard?: boolean }): void;
  /** As `tell`, many in one go. */
  tellAll(intents: readonly Intent[], audience: { followersOf?: bigint; to?: readonly string[] }): void;
  loseOwner(): void;
  /** As the operator asks for; without a host of all. Returns how many are tried. */
  retry(host?: string): number;
  /** A request of the host was verified: all threads are informed, as its own would be. */
  hearFrom(host: string): void;
  /** Staff decide about a host and those below it. */
  decide(domain: string, decision: DeliveryDecision): void;
  settle(): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  /** The threads die without a word and start again, as many as before or another number. */
  crash(threads?: number): Promise<void>;
  stop(): Promise<void>;
  sentTo(host: string): Sent[];
  lane(host: string): LaneReport | undefined;
  /** Deliveries that are still in the logs. */
  logged(): number;
  /** Overwrites an entry with garbage in each partition that has it. Returns in how many. */
  damage<Key extends readonly unknown[]>(space: Pick<Keyspace<Key, unknown>, 'encode'>, key: Key): number;
}

export interface BedOptions {
  readonly partitions?: number;
  /** Network threads. */
  readonly threads?: number;
  readonly findSigner?: (accountId: bigint) => RequestSigner | Promise<RequestSigner> | undefined;
  /** Statuses that are gone: there is nothing to say of them. */
  readonly gone?: ReadonlySet<bigint>;
  /** Hosts that nothing is sent to. */
  readonly suspended?: ReadonlySet<string>;
}

/** A partition takes so many calls at a time. */
const callsAtOnce = 1_000;

const { privateKey } = generateKeyPairSync('ed25519');
export const signer: RequestSigner = { keyId: 'https://home.example/users/alice#main-key', privateKey };

const ids = (function* () {
  for (let id = 10_001n; ; id += 1n) yield id;
})();
/** Of no other than a new thing. */
export function nextId(): bigint {
  return ids.next().value;
}

export function create(statusId = nextId()): Intent {
  return { kind: 'create', actorId: alice, activityId: statusId, statusId };
}

export function update(statusId: bigint): Intent {
  return { kind: 'update', actorId: alice, activityId: nextId(), statusId };
}

export function remove(statusId: bigint): Intent {
  return { kind: 'delete', actorId: alice, activityId: nextId(), statusId, visibility: 'public' };
}

export function like(favouriteId = nextId(), statusId = favouriteId): Intent {
  return { kind: 'like', actorId: alice, activityId: favouriteId, statusId, favouriteId, authorId: bob };
}

export function unlike(favouriteId: bigint, statusId = favouriteId): Intent {
  return { kind: 'undoLike', actorId: alice, activityId: nextId(), statusId, favouriteId, authorId: bob };
}

export function follow(targetId = bob): Intent {
  const followId = nextId();
  return { kind: 'follow', actorId: alice, activityId: followId, targetId, followId };
}

function aboutOf(intent: Intent): bigint {
  if ('favouriteId' in intent) return intent.favouriteId;
  if ('statusId' in intent) return intent.statusId;
  return 'targetId' in intent ? intent.targetId : intent.actorId;
}

function hostOf(inbox: string): string {
  return new URL(inbox).host;
}

export async function createLanes(options: BedOptions = {}): Promise<LanesBed> {
  const { partitions = 2 } = options;
  let { threads = 1 } = options;
  const server = createTestServer({
    partitions,
    actors: [partitionActor, domainActor],
    keyspaces,
  });
  const placement = evenPlacement(partitions);
  const started = server.clock.now();
  const sent: Sent[] = [];
  const problems: string[] = [];
  const gone: string[] = [];
  const attempts = new Map<Verdict, number>();
  const behaviours = new Map<string, Behaviour>();
  const time = new SimulatedTime(server.clock, () => server.settle());
  let running: { lanes: Lanes; hub: EventHub; life: { isOver: boolean } }[] = [];
  let heard = 0;
  let underWay = 0;
  let underWayMax = 0;
  let clockAhead = 0;
  let waitsShortened = 0;
  const stopped = new Set<string>();

  function send(url: string, body: Buffer): Promise<DeliveryResult> {
    const { kind, about } = JSON.parse(body.toString()) as { kind: Intent['kind']; about: string };
    const host = hostOf(url);
    const one: Sent = { at: server.clock.now(), host, inbox: url, kind, about: BigInt(about) };
    sent.push(one);
    const given = behaviours.get(host)?.(one) ?? 202;
    const answer =
      typeof given === 'number' ? { result: status(given) } : 'result' in given ? given : { result: given };
    underWay += 1;
    underWayMax = Math.max(underWayMax, underWay);
    return new Promise((resolve) => {
      const end = () => {
        underWay -= 1;
        resolve(answer.result);
      };
      if ('afterMilliseconds' in answer && answer.afterMilliseconds !== undefined)
        time.schedule(answer.afterMilliseconds, end);
      else time.defer(end);
    });
  }

  function startThread(index: number) {
    const hub = new EventHub();
    const life = { isOver: false };
    const alive = (run: () => void) => () => {
      if (!life.isOver) run();
    };
    const ports: DeliveryPorts = {
      now: () => server.clock.now() + clockAhead,
      monotonic: () => server.clock.monotonic(),
      random: () => time.random(),
      defer: (callback) => time.defer(alive(callback)),
      schedule: (milliseconds, callback) => time.schedule(milliseconds, alive(callback)),
      sign: async () => ({}),
      send: ({ url, body }) => send(url, body),
      attempted: (verdict) => void attempts.set(verdict, (attempts.get(verdict) ?? 0) + 1),
      waitShortened: () => {
        waitsShortened += 1;
      },
      inboxGone: ({ inbox }) => void gone.push(inbox),
      isSuspended: (host) => options.suspended?.has(host) === true,
      dialects: draftCavageOnly,
      report: ({ level, message }) => {
        if (level !== 'debug') problems.push(message);
      },
    };
    const lanes = createActivityLanes({
      snapshots: {
        partitions: server.read.partitions,
        placement: evenPlacement(partitions, { owner: 1, network: threads }),
      },
      client: { call: (envelope) => (life.isOver ? new Promise(() => undefined) : server.call(envelope)) },
      events: hub,
      caches: roomyCaches('network'),
      ports,
      translate: (intent) => {
        const about = aboutOf(intent);
        return { activity: options.gone?.has(about) ? undefined : { kind: intent.kind, about: String(about) } };
      },
      findSigner: options.findSigner ?? (() => signer),
      followersDigests: { headersFor: () => undefined },
      holds: (host) => firstOf(host, (domain) => stopped.has(domain) || undefined) === true,
      index,
      count: threads,
    });
    lanes.start();
    return { lanes, hub, life };
  }

  function hear(): void {
    const appended = server.events(deliveryAppended);
    const fresh = appended.slice(heard);
    heard = appended.length;
    for (const { hub } of running)
      for (let partition = 0; fresh.length > 0 && partition < partitions; partition += 1)
        hub.dispatch({ partition, commit: 0, events: [{ event: deliveryAppended.number, body: fresh.at(-1) }] }, []);
  }

  function append(intent: Intent, audience: { followersOf?: bigint; to?: readonly string[] }): void {
    const destinations = (audience.to ?? []).map((inbox) => ({ host: hostOf(inbox), inbox }));
    for (let partition = 0; partition < partitions; partition += 1) {
      const isHere = ({ host }: Destination) => placement.partitionOf(slotOfKey(host)) === partition;
      const followers = audience.followersOf === undefined ? {} : { followersOf: audience.followersOf };
      const body = { intent, ...followers, destinations: destinations.filter(isHere) };
      server.send(PartitionActor.deliver.to(BigInt(partition), body));
    }
  }

  running = Array.from({ length: threads }, (_, index) => startThread(index));
  await time.settle();
  return {
    sent,
    problems,
    gone,
    attempts,
    started,
    now: () => server.clock.now(),
    setClock(milliseconds) {
      clockAhead += milliseconds;
    },
    get underWayMax() {
      return underWayMax;
    },
    answer: (host, behaviour) => void behaviours.set(host, behaviour),
    follow(accountId, inbox, follower = nextId()) {
      server.send(Domain.followerGained.to(hostOf(inbox), { accountId, followerId: follower, inbox }));
      server.settle();
    },
    tell(intent, audience) {
      append(intent, audience);
      server.settle();
      if (audience.isUnheard) heard = server.events(deliveryAppended).length;
      hear();
    },
    tellAll(intents, audience) {
      for (let first = 0; first < intents.length; first += callsAtOnce) {
        for (const intent of intents.slice(first, first + callsAtOnce)) append(intent, audience);
        server.settle();
      }
      hear();
    },
    get waitsShortened() {
      return waitsShortened;
    },
    retry: (host) => running.reduce((sum, { lanes }) => sum + lanes.retry(host), 0),
    hearFrom(host) {
      for (const { lanes } of running) lanes.heardFrom(host);
    },
    loseOwner() {
      for (const { hub } of running) hub.dispatchLoss();
    },
    decide(domain, decision) {
      if (decision === 'stopped') stopped.add(domain);
      if (decision === 'restarted') stopped.delete(domain);
      const isBelow = (host: string) => firstOf(host, (one) => one === domain || undefined) === true;
      for (const { lanes } of running) lanes.decided(domain, isBelow, decision);
    },
    settle: () => time.settle(),
    advance: (milliseconds) => time.advance(milliseconds),
    async crash(count = threads) {
      for (const { life } of running) life.isOver = true;
      threads = count;
      running = Array.from({ length: threads }, (_, index) => startThread(index));
      await time.settle();
    },
    async stop() {
      let hasStopped = false;
      const stopped = Promise.all(running.map(({ lanes }) => lanes.stop())).then(() => {
        hasStopped = true;
      });
      await time.settle();
      while (!hasStopped) await time.advance(100);
      await stopped;
    },
    sentTo: (host) => sent.filter((one) => one.host === host),
    lane: (host) => running.flatMap(({ lanes }) => lanes.laneReport()).find((report) => report.host === host),
    damage(space, key) {
      const bytes = space.encode(key);
      const found = server.disks.filter((disk) => disk.get(bytes) !== undefined);
      for (const disk of found)
        (disk as MemoryStore).apply({ keys: [bytes], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
      return found.length;
    },
    logged: () => server.read.partitions.reduce((sum, reader) => sum + [...reader.range(deliveryLog, [])].length, 0),
  };
}
