/**
 * The relay's log and lanes over partitions in memory and simulated time, with subscribers that work, fail now and then, are
 * dead, stall, or send back what they get, and threads that crash.
 */

import { expect, test } from 'vitest';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { domainActor } from '../../../src/actors/domain/domain.actor.ts';
import { partitionActor } from '../../../src/actors/partition/partition.actor.ts';
import { relayActor } from '../../../src/actors/relay/relay.actor.ts';
import { relayAppended, subscriptionChanged } from '../../../src/actors/relay/relay.events.ts';
import { Relay, relayKey } from '../../../src/actors/relay/relay.messages.ts';
import { findSubscription, partitionOfRelay, relayState } from '../../../src/actors/relay/relay.queries.ts';
import { createRelayLanes, type RelayServices } from '../../../src/federation/relay/create-relay.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import { Dialects } from '../../../src/outbound/signatures/dialects.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { Members } from '../../../src/services/members.ts';
import { SimulatedTime } from '../../outbound/lanes/simulated-time.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import { createTestServer } from '../../support/actors.ts';
import { roomyCaches } from '../../support/caches.ts';
import { only } from '../../support/only.ts';

const second = 1_000;
const minute = 60 * second;
const ageMilliseconds = 30 * minute;

/** `modern`: takes RFC 9421 only. `refusing`: no signature at all. */
type Behaviour = 'healthy' | 'flaky' | 'dead' | 'stalling' | 'echoing' | 'modern' | 'refusing';

/** A number from 0 up to 1 (excluded), the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Got {
  readonly id: string;
  readonly publishedAt: number;
  readonly at: number;
}

class RelayBed {
  /** What each subscriber has taken, and how often it was asked. */
  readonly got = new Map<string, Got[]>();
  readonly asked = new Map<string, number>();
  readonly behaviours = new Map<string, Behaviour>();
  readonly published = new Map<string, number>();
  echoes = 0;
  private readonly server = createTestServer({ actors: [partitionActor, relayActor, domainActor], keyspaces });
  private readonly time = new SimulatedTime(this.server.clock, () => this.server.settle());
  private readonly random: () => number;
  private running: { lanes: Lanes; hub: EventHub; life: { isOver: boolean } };
  private heard = 0;

  constructor(random: () => number) {
    this.random = random;
    this.running = this.start();
  }

  get now(): number {
    return this.server.clock.now();
  }

  subscribe(host: string, behaviour: Behaviour): void {
    const actor = `https://${host}/actor`;
    const follower = {
      form: 'public' as const,
      actor,
      inbox: `${actor}/inbox`,
      postsInbox: `https://${host}/inbox`,
      follow: '{}',
    };
    this.server.callNow(Relay.follow.to(relayKey, { host, follower, mode: 'open' }));
    this.behaviours.set(host, behaviour);
    this.got.set(host, []);
    this.tell();
  }

  /** Returns whether it was new. */
  publish(author: string, number: number, from: string): boolean {
    const id = `${author}/${number}`;
    const body = new Uint8Array(Buffer.from(JSON.stringify({ id })));
    const traits = { tags: [], hasMedia: false, isSensitive: false, isBot: false };
    const relayed = { type: 'Create' as const, id, author, object: id, from, body, traits };
    const message = { posts: [{ relayed, names: [id] }], ageMilliseconds, logBytesMax: 1_000_000 };
    const { areNew } = this.server.callNow(Relay.publish.to(relayKey, message));
    const isNew = areNew[0] === true;
    if (isNew) this.published.set(id, this.now);
    this.tell();
    return isNew;
  }

  advance(milliseconds: number): Promise<void> {
    return this.time.advance(milliseconds);
  }

  /** The network thread dies, and another goes on from what is stored. */
  async crash(): Promise<void> {
    this.running.life.isOver = true;
    this.running = this.start();
    await this.time.settle();
  }

  retry(): void {
    this.running.lanes.retry(undefined);
  }

  takesShared(host: string): boolean | undefined {
    return findSubscription(this.server.read, host)?.takesShared;
  }

  /** What is left in the log. */
  get logBytes(): number {
    return relayState(this.server.read).logBytes;
  }

  private tell(): void {
    const partition = partitionOfRelay(this.server.placement);
    const events = [...this.server.events(relayAppended), ...this.server.events(subscriptionChanged)];
    if (events.length === this.heard) return;
    this.heard = events.length;
    const changed = [...this.behaviours.keys()].map((host) => ({ event: subscriptionChanged.number, body: { host } }));
    const batch = {
      partition,
      commit: 0,
      events: [...changed, { event: relayAppended.number, body: { sequence: 0 } }],
    };
    this.running.hub.dispatch(batch, []);
  }

  private start() {
    const hub = new EventHub();
    const life = { isOver: false };
    const alive = (run: () => void) => () => {
      if (!life.isOver) run();
    };
    const { server, time } = this;
    const client = {
      call: (envelope: Parameters<typeof server.call>[0]) =>
        life.isOver ? new Promise(() => undefined) : Promise.resolve(server.call(envelope)),
    };
    const services = only<RelayServices>('services', {
      addresses: new Addresses('https://relay.example'),
      snapshots: server.read,
      client: client as RelayServices['client'],
      events: hub,
      members: new Members(),
      caches: roomyCaches('network'),
      index: 0,
      count: 1,
    });
    const { lanes } = createRelayLanes(services, {
      now: () => server.clock.now(),
      monotonic: () => server.clock.monotonic(),
      random: () => this.random(),
      defer: (callback) => time.defer(alive(callback)),
      schedule: (milliseconds, callback) => time.schedule(milliseconds, alive(callback)),
      attempted: () => undefined,
      waitShortened: () => undefined,
      dropped: () => undefined,
      report: ({ level, message }) => {
        if (level === 'error') expect.fail(message);
      },
      signer: () => ({ keyId: 'https://relay.example/relay#main-key', privateKey: undefined as never }),
      sign: async ({ dialect }) => ({ signature: dialect === 'rfc9421' ? 'sig1=:own:' : 'signature="own"' }),
      dialects: new Dialects({
        ...{ snapshots: server.read, client: client as RelayServices['client'], report: () => undefined },
        ...{ now: () => server.clock.now(), monotonic: () => server.clock.monotonic() },
      }),
      signForAll: async () => ({ signature: 'signature="shared"' }),
      isSharing: true,
      isSuspended: () => false,
      send: (delivery) => this.receive(delivery.url, delivery.body, delivery.headers.signature!),
    });
    lanes.start();
    return { lanes, hub, life };
  }

  private receive(url: string, body: Buffer, signature: string): Promise<DeliveryResult> {
    const { host } = new URL(url);
    const behaviour = this.behaviours.get(host)!;
    this.asked.set(host, (this.asked.get(host) ?? 0) + 1);
    const isGood =
      accepted[behaviour === 'modern' || behaviour === 'refusing' ? behaviour : 'others'].includes(signature);
    const fails = behaviour === 'dead' || (behaviour === 'flaky' && this.random() < 0.4);
    const milliseconds = behaviour === 'stalling' ? 9 * second : Math.floor(this.random() * 200);
    return new Promise((resolve) => {
      this.time.schedule(milliseconds, () => {
        if (fails) {
          resolve({ ok: false, kind: 'unreachable', fault: 'connectFailed', detail: 'refused' });
          return;
        }
        if (isGood) this.take(host, behaviour, body);
        resolve({ ok: true, status: isGood ? 202 : 401, retryAfterMilliseconds: undefined });
      });
    });
  }

  private take(host: string, behaviour: Behaviour, body: Buffer): void {
    const { id } = JSON.parse(body.toString('utf8')) as { id: string };
    this.got.get(host)!.push({ id, publishedAt: this.published.get(id)!, at: this.now });
    if (behaviour !== 'echoing') return;
    const [, author, number] = /^(.*)\/(\d+)$/.exec(id)!;
    if (this.publish(author!, Number(number), host)) this.echoes += 1;
  }
}

const accepted = {
  others: ['signature="own"', 'signature="shared"'],
  modern: ['sig1=:own:'],
  refusing: [] as string[],
};

const subscribers: readonly [string, Behaviour][] = [
  ...['a', 'b', 'c'].map((name): [string, Behaviour] => [`${name}.example`, 'healthy']),
  ...['d', 'e'].map((name): [string, Behaviour] => [`${name}.example`, 'flaky']),
  ...['f', 'g'].map((name): [string, Behaviour] => [`${name}.example`, 'dead']),
  ['h.example', 'stalling'],
  ['i.example', 'echoing'],
  ['l.example', 'modern'],
];
const authors = ['https://a.example/users/ann', 'https://j.example/users/joe', 'https://k.example/users/kim'];

async function play(seed: number): Promise<void> {
  const random = randomOf(seed);
  const bed = new RelayBed(random);
  for (const [host, behaviour] of subscribers) bed.subscribe(host, behaviour);
  const counts = new Map<string, number>();
  let crashes = 0;
  for (let step = 0; step < 120; step += 1) {
    const author = authors[Math.floor(random() * authors.length)]!;
    const number = (counts.get(author) ?? 0) + 1;
    const choice = random();
    if (choice < 0.6) {
      counts.set(author, number);
      expect(bed.publish(author, number, new URL(author).host)).toBe(true);
    } else if (choice < 0.75 && number > 1)
      // Another server brings it again.
      expect(bed.publish(author, 1 + Math.floor(random() * (number - 1)), 'b.example')).toBe(false);
    else if (choice < 0.97) await bed.advance(Math.floor(random() * 20 * second));
    else {
      await bed.crash();
      crashes += 1;
    }
  }
  await bed.advance(5 * minute);
  const all = [...bed.published.keys()];
  for (const [host, behaviour] of subscribers) {
    const got = bed.got.get(host)!;
    const ids = [...new Set(got.map(({ id }) => id))];
    const due = all.filter((id) => new URL(id).host !== host);
    if (behaviour === 'healthy' || behaviour === 'echoing' || behaviour === 'modern')
      expect([host, ids.toSorted()]).toEqual([host, due.toSorted()]);
    // After a crash, the last tenth of a second is repeated.
    if (crashes === 0) expect([host, got.length]).toEqual([host, ids.length]);
    for (const author of authors) {
      const numbers = ids.filter((id) => id.startsWith(`${author}/`)).map((id) => Number(id.split('/').at(-1)));
      expect([host, numbers]).toEqual([host, numbers.toSorted((one, other) => one - other)]);
    }
    for (const { publishedAt, at } of got) expect(at - publishedAt).toBeLessThan(ageMilliseconds + 20 * second);
    // A few waits of half a minute and more, and one probe after each crash.
    if (behaviour === 'dead') expect(bed.asked.get(host)!).toBeLessThan(16 + crashes);
  }
  expect(bed.echoes).toBe(0);
}

test.each(fixedSeeds(6))('everybody healthy gets each activity once and in order, seed %d', async (seed) => {
  await play(seed);
});

testFreshSeeds('everybody healthy gets each activity once and in order', play, { seconds: 20 });

test('what a dead subscriber missed for too long costs no request when it is back, and the log does not keep it', async () => {
  const bed = new RelayBed(randomOf(1));
  bed.subscribe('a.example', 'healthy');
  bed.subscribe('f.example', 'dead');
  const author = 'https://j.example/users/joe';
  for (let number = 1; number <= 200; number += 1) bed.publish(author, number, 'j.example');
  await bed.advance(40 * minute);
  for (let number = 201; number <= 205; number += 1) bed.publish(author, number, 'j.example');
  bed.behaviours.set('f.example', 'healthy');
  const asked = bed.asked.get('f.example')!;
  bed.retry();
  await bed.advance(minute);
  expect(bed.got.get('f.example')!.map(({ id }) => Number(id.split('/').at(-1)))).toEqual([201, 202, 203, 204, 205]);
  // One of them is the proof that the signature for all is taken.
  expect(bed.asked.get('f.example')! - asked).toBe(6);
  expect(bed.got.get('a.example')).toHaveLength(205);
  await bed.advance(minute);
  expect(bed.logBytes).toBe(0);
});

test('a subscriber that refused every signature gets what it missed, and takes the one for all when it is well', async () => {
  const bed = new RelayBed(randomOf(2));
  const host = 'm.example';
  bed.subscribe(host, 'refusing');
  const author = 'https://j.example/users/joe';
  for (let number = 1; number <= 10; number += 1) {
    bed.publish(author, number, 'j.example');
    await bed.advance(10 * second);
  }
  // A spoiled one, the one for all, and one of its own in each dialect; then its lane waits.
  expect(bed.asked.get(host)).toBe(4);
  expect(bed.takesShared(host)).toBe(undefined);
  bed.behaviours.set(host, 'healthy');
  await bed.advance(10 * minute);
  expect(bed.got.get(host)!.map(({ id }) => Number(id.split('/').at(-1)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  // The proof is made then.
  expect(bed.asked.get(host)! - 4).toBe(11);
  expect(bed.takesShared(host)).toBe(true);
});

/** Delays in milliseconds of what 60 subscribers got that are well, beside others that behave so. */
async function delaysBeside(others: readonly Behaviour[]): Promise<number[]> {
  const bed = new RelayBed(randomOf(3));
  const healthy = Array.from({ length: 60 }, (_, number) => `well-${number}.example`);
  for (const host of healthy) bed.subscribe(host, 'healthy');
  for (const [number, behaviour] of others.entries()) bed.subscribe(`other-${number}.example`, behaviour);
  for (let number = 1; number <= 60; number += 1) {
    bed.publish('https://j.example/users/joe', number, 'j.example');
    await bed.advance(500);
  }
  await bed.advance(minute);
  const delays = healthy.flatMap((host) => bed.got.get(host)!.map(({ at, publishedAt }) => at - publishedAt));
  expect(delays).toHaveLength(60 * 60);
  return delays.sort((one, other) => one - other);
}

test('with 30 % dead and 10 % stalling the p95 delay of the others is at most 1.1 times that without', async () => {
  const others = Array.from({ length: 40 }, (_, number): Behaviour => (number < 30 ? 'dead' : 'stalling'));
  const [alone, beside] = [await delaysBeside([]), await delaysBeside(others)];
  const p95 = (delays: readonly number[]) => delays[Math.floor(delays.length * 0.95)]!;
  expect(p95(beside) / p95(alone)).toBeLessThanOrEqual(1.1);
});
