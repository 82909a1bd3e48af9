/**
 * Plays servers that subscribe to a relay, or follow an account, some of which fail: measures from when a post was due to
 * when each has it, and proves that whoever is well gets every post once, in the order of its author.
 */
import { LoadFailure } from '../failure.ts';
import { Client } from '../http/client.ts';
import { textOf } from '../http/session.ts';
import { jsonOf } from '../json.ts';
import { markerIn, markerOf } from '../marker.ts';
import type { Part, PartContext, RunTimes } from '../part.ts';
import { arrivalsBetween, arrive } from '../run/arrivals.ts';
import { Receipts } from '../run/receipts.ts';
import { assignBehaviours, type Behaviour, behaviours, isWell } from './behaviours.ts';
import { acceptOf, createOf, followOf, serverActorOf, undoFollowOf } from './documents.ts';
import { Fleet } from './fleet.ts';
import type { Delivery } from './servers.ts';
import type { FleetSettings } from './settings.ts';

const everybody = 'https://www.w3.org/ns/activitystreams#Public';
const connections = 32;
/** Of those that subscribe. */
const needed = 0.95;
const lookMilliseconds = 100;
/** For a relay to take back its Follow of those that leave. */
const farewellMilliseconds = 5_000;
const deliveryName = 'delivery';
const besideName = 'delivery, while others fail';

export class FleetPart implements Part {
  private readonly settings: FleetSettings;
  private readonly context: PartContext;
  private readonly fleet: Fleet;
  /** Posts as the account that is followed. */
  private readonly api: Client;
  private readonly behaviours: readonly Behaviour[];
  private readonly receipts: Receipts;
  private readonly accepted = new Set<number>();
  /** Of LitePub: whether they have accepted that the relay follows them. */
  private readonly followedBack = new Map<number, boolean>();
  /** Seconds until all had subscribed. */
  private subscribingSeconds = 0;
  /** Where to send, what is followed, and what those of LitePub follow. */
  private followed = { path: '', object: '', actor: '' };
  private bad = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  private readonly recovered = { receipts: 0, lastAt: 0 };

  constructor(settings: FleetSettings, context: PartContext) {
    const { subscribers, follows, port, keys, keyType, dialect, timeoutSeconds, slowMilliseconds } = settings;
    const { target, recorder } = context;
    this.settings = settings;
    this.context = context;
    this.behaviours = assignBehaviours(subscribers, settings.behaviours);
    const posters = follows === 'relay' ? settings.senders : 1;
    this.receipts = new Receipts({ recorder, listeners: subscribers, posters, everybodyGetsAll: true });
    this.api = new Client({ target, recorder, connections, timeoutSeconds });
    this.fleet = new Fleet({
      context,
      servers: subscribers + (follows === 'relay' ? settings.senders : 0),
      port,
      keys,
      keyType,
      dialect,
      connections,
      timeoutSeconds,
      behaviours: this.behaviours,
      slowMilliseconds,
      delivered: (delivery) => this.delivered(delivery),
    });
  }

  async open(): Promise<void> {
    const { follows, relayInbox, relayActor, litepub } = this.settings;
    const { target } = this.context;
    await this.fleet.open();
    if (follows === 'relay') {
      const actor = litepub === 0 ? '' : (await this.fleet.actor(new URL(relayActor, target.origin).href)).uri;
      this.followed = { path: relayInbox, object: everybody, actor };
    } else {
      const { inboxPath, uri } = await this.fleet.actorOfToken(target.tokens[0]);
      this.followed = { path: inboxPath, object: uri, actor: '' };
    }
    await this.subscribe();
  }

  async run(times: RunTimes): Promise<void> {
    const { measuredFrom, endAt, signal } = times;
    const { rate, senders, follows, badFromSeconds, badUntilSeconds } = this.settings;
    const posters = follows === 'relay' ? senders : 1;
    this.bad = { from: measuredFrom + badFromSeconds * 1_000, to: measuredFrom + badUntilSeconds * 1_000 };
    const timers = [
      setTimeout(() => this.fleet.servers.behave(true), Math.max(0, this.bad.from - performance.now())),
      ...(this.bad.to < endAt ? [setTimeout(() => this.comeBack(), Math.max(0, this.bad.to - performance.now()))] : []),
    ];
    const lastOf = new Map<number, Promise<void>>();
    await arrive({ ...times, rate }, (dueAt, number) => {
      const poster = number % posters;
      const marker = this.context.nextNumber();
      this.receipts.due(marker, poster, dueAt);
      // The posts of one author go one after the other: their order is that of their arrival.
      const post = (lastOf.get(poster) ?? Promise.resolve()).then(() => this.post(marker, poster, dueAt));
      lastOf.set(poster, post);
    });
    await Promise.all(lastOf.values());
    await this.untilComplete(signal);
    for (const timer of timers) clearTimeout(timer);
  }

  facts(seconds: number) {
    const { rate, badUntilSeconds } = this.settings;
    const { recorder } = this.context;
    const factsOf = (behaviour: Behaviour) => ({
      servers: this.behaviours.filter((one) => one === behaviour).length,
      ...this.receipts.facts((server) => this.behaviours[server] === behaviour),
    });
    const present = behaviours.filter((one) => this.behaviours.includes(one));
    const p95 = (name: string) => (recorder.names.includes(name) ? recorder.latencies(name, seconds).p95 : undefined);
    const [alone, beside] = [p95(deliveryName), p95(besideName)];
    return {
      postsAsked: Math.round(arrivalsBetween(rate, 0, seconds)),
      subscribed: this.accepted.size,
      litepub: this.followedBack.size,
      subscribingSeconds: this.subscribingSeconds,
      // Of the whole run, its warm-up included.
      receipts: Object.fromEntries(present.map((behaviour) => [behaviour, factsOf(behaviour)])),
      deliveries: this.fleet.servers.counted,
      ...(alone !== undefined && beside !== undefined ? { p95BesideFailing: beside / alone } : {}),
      ...(badUntilSeconds < seconds
        ? {
            recovery: {
              receipts: this.recovered.receipts,
              secondsUntilLast: this.recovered.lastAt === 0 ? undefined : (this.recovered.lastAt - this.bad.to) / 1_000,
            },
          }
        : {}),
    };
  }

  warnings(): readonly string[] {
    const { missing, doubled, outOfOrder } = this.receipts.facts((server) => isWell(this.behaviours[server]!));
    const wrong = Object.entries({ missing, 'received twice': doubled, 'out of order': outOfOrder }).filter(
      ([, count]) => count > 0,
    );
    return wrong.map(([what, count]) => `Of servers that are well: ${count} posts ${what}.`);
  }

  /** Servers that have subscribed leave again. */
  async close(): Promise<void> {
    if (this.accepted.size > 0) {
      this.context.tell('unsubscribing');
      // What is said to those that fail would wait for the next run.
      this.fleet.servers.behave(false);
      const { path } = this.followed;
      await this.forAll([...this.accepted], (server) => {
        const body = undoFollowOf(this.followerOf(server), this.objectOf(server));
        return this.fleet.send({
          name: 'unsubscribe',
          server,
          by: this.follower,
          path,
          body,
          dueAt: performance.now(),
        });
      });
      const deadline = performance.now() + farewellMilliseconds;
      while (this.followedBack.size > 0 && performance.now() < deadline) await pause(lookMilliseconds);
    }
    await Promise.all([this.fleet.close(), this.api.close()]);
  }

  private get follower(): 'server' | 'person' {
    return this.settings.follows === 'relay' ? 'server' : 'person';
  }

  private followerOf(server: number): string {
    const person = this.fleet.servers.person(server);
    return this.follower === 'server' ? serverActorOf(person).uri : person.uri;
  }

  /** The first of those that subscribe; what sends to the relay follows as Mastodon does. */
  private isLitepub(server: number): boolean {
    const { litepub, subscribers, follows } = this.settings;
    return follows === 'relay' && server < Math.round(subscribers * litepub);
  }

  private objectOf(server: number): string {
    return this.isLitepub(server) ? this.followed.actor : this.followed.object;
  }

  private get subscribed(): number {
    let waiting = 0;
    for (const isConfirmed of this.followedBack.values()) if (!isConfirmed) waiting += 1;
    return this.accepted.size - waiting;
  }

  /** Rejects with a LoadFailure where too few are accepted in time. */
  private async subscribe(): Promise<void> {
    const { subscribers, senders, follows, timeoutSeconds } = this.settings;
    const { tell, signal } = this.context;
    const { path } = this.followed;
    const count = subscribers + (follows === 'relay' ? senders : 0);
    const numbers = Array.from({ length: count }, (_, number) => number);
    for (const server of numbers) if (this.isLitepub(server)) this.followedBack.set(server, false);
    const startedAt = performance.now();
    await this.forAll(numbers, async (server) => {
      const { body } = followOf(this.followerOf(server), this.objectOf(server));
      const sent = { name: 'subscribe', server, by: this.follower, path, body, dueAt: performance.now() };
      if (!(await this.fleet.send(sent)) && server === 0)
        throw new LoadFailure('subscriptionRefused', `${this.context.target.origin}${path} refuses to be followed.`);
    });
    const deadline = performance.now() + timeoutSeconds * 1_000;
    while (this.subscribed < count && performance.now() < deadline && !signal.aborted) {
      tell(`${this.subscribed} of ${count} servers have subscribed`);
      await pause(lookMilliseconds);
    }
    this.subscribingSeconds = (performance.now() - startedAt) / 1_000;
    if (this.subscribed < count * needed && !signal.aborted)
      throw new LoadFailure('subscriptionRefused', `Only ${this.subscribed} of ${count} servers were accepted.`);
  }

  private async forAll(servers: readonly number[], work: (server: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const runner = async () => {
      for (let index = next++; index < servers.length; index = next++) await work(servers[index]!);
    };
    await Promise.all(Array.from({ length: connections }, runner));
  }

  private async post(marker: number, poster: number, dueAt: number): Promise<void> {
    const { follows, subscribers } = this.settings;
    const isAccepted =
      follows === 'relay'
        ? await this.postToRelay(subscribers + poster, marker, dueAt)
        : await this.postAsAccount(marker, dueAt);
    if (isAccepted) this.receipts.accepted(marker);
  }

  private postToRelay(server: number, marker: number, dueAt: number): Promise<boolean> {
    const { announced } = this.settings;
    const { body } = createOf(this.fleet.servers.person(server), markerOf(marker), []);
    const { signature: _signature, ...unsigned } = JSON.parse(body) as { signature?: unknown };
    return this.fleet.send({
      name: 'post',
      server,
      by: 'person',
      path: this.followed.path,
      body: announced ? JSON.stringify(unsigned) : body,
      dueAt,
    });
  }

  private async postAsAccount(marker: number, dueAt: number): Promise<boolean> {
    const answer = await this.api.send({
      name: 'post',
      method: 'POST',
      path: '/api/v1/statuses',
      token: this.context.target.tokens[0],
      body: Buffer.from(JSON.stringify({ status: textOf(marker), visibility: 'public' })),
      contentType: 'application/json',
      dueAt,
    });
    return answer !== undefined && answer.status < 300;
  }

  private delivered({ server, body }: Delivery): void {
    const marker = markerIn(body);
    if (marker === undefined) this.receiveAnswer(server, body);
    else this.receipts.heard(server, marker, (dueAt) => this.nameOf(server, dueAt));
  }

  /** An Accept names the Follow, or contains it. The relay's own Follow is accepted. */
  private receiveAnswer(server: number, body: Buffer): void {
    const activity = jsonOf(body.toString('utf8')) as { id?: unknown; type?: unknown; object?: unknown } | undefined;
    if (activity?.type === 'Follow' && this.isLitepub(server) && typeof activity.id === 'string')
      void this.confirm(server, activity.id);
    if (activity?.type === 'Undo') this.followedBack.delete(server);
    if (activity?.type !== 'Accept') return;
    const { object } = activity;
    const id = typeof object === 'object' && object !== null && 'id' in object ? object.id : object;
    if (id === followOf(this.followerOf(server), '').id) this.accepted.add(server);
  }

  private async confirm(server: number, followId: string): Promise<void> {
    const { path } = this.followed;
    const body = acceptOf(this.followerOf(server), followId);
    const sent = { name: 'accept', server, by: this.follower, path, body, dueAt: performance.now() };
    if (await this.fleet.send(sent)) this.followedBack.set(server, true);
  }

  private nameOf(server: number, dueAt: number): string {
    const behaviour = this.behaviours[server]!;
    const isDuring = dueAt >= this.bad.from && dueAt < this.bad.to;
    if (!isWell(behaviour)) {
      if (isDuring && performance.now() >= this.bad.to) {
        this.recovered.receipts += 1;
        this.recovered.lastAt = performance.now();
      }
      return 'delivery to those that fail';
    }
    if (behaviour !== 'healthy') return `delivery to ${behaviour} ones`;
    return isDuring && this.behaviours.some((one) => one !== 'healthy') ? besideName : deliveryName;
  }

  /** All are well again; servers of a relay send something, which shows that they are. */
  private comeBack(): void {
    this.fleet.servers.behave(false);
    const { returnSpeaks, follows } = this.settings;
    if (!returnSpeaks || follows !== 'relay') return;
    const back = [...this.behaviours.keys()].filter((server) => !isWell(this.behaviours[server]!));
    void this.forAll(back, (server) => {
      const { body } = followOf(this.followerOf(server), this.objectOf(server));
      const dueAt = performance.now();
      return this.fleet.send({ name: 'first words', server, by: 'server', path: this.followed.path, body, dueAt });
    });
  }

  /** Until those that are well, or are so again, have everything, or the wait is over. */
  private async untilComplete(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.settings.waitSeconds * 1_000;
    const areBack = performance.now() >= this.bad.to;
    const isDue = (server: number) => areBack || isWell(this.behaviours[server]!);
    while (this.receipts.facts(isDue).missing > 0 && performance.now() < deadline && !signal.aborted)
      await pause(lookMilliseconds);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
