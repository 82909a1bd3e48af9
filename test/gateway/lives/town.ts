/**
 * A whole server in memory for seeded stories: people here ask its API for everything, several at the same time, while
 * other servers tell about their accounts, time passes, and staff decides. Calls of operations reach the actors one step
 * at a time, so that whatever an operation has read may have changed when its message arrives.
 */
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findStatusRecord } from '../../../src/actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../../src/actors/account/statuses/account-statuses.queries.ts';
import type { Status } from '../../../src/actors/account/statuses/statuses.records.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import { Directory, nameOfEmail } from '../../../src/actors/directory/directory.messages.ts';
import { fetchThreadStep } from '../../../src/actors/domain/threads/threads.effects.ts';
import { type Dialect, dialects } from '../../../src/actors/session/session.messages.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Endpoint, Method } from '../../../src/gateway/route.ts';
import { pollAudienceRunner } from '../../../src/operations/polls/poll-audience.ts';
import { scheduledRunner } from '../../../src/operations/scheduled/publish-scheduled.ts';
import type { Envelope } from '../../../src/runtime/contract.ts';
import { type EffectRunner, runnerOf } from '../../../src/runtime/effects.ts';
import { type Failure, fromWireFailure } from '../../../src/runtime/errors.ts';
import type { Flow } from '../../../src/runtime/flow.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { deadLetters } from '../../../src/runtime/storage/machine.ts';
import { SeededRandom } from '../../sim/random.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { follow } from '../../support/acts.ts';
import { MemoryApi } from '../../support/memory-api.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { People } from '../../support/people.ts';
import { testProfile } from '../../support/profile.ts';
import { repartitionedStores } from '../../support/repartitioned.ts';
import { signUp } from '../../support/sign-up.ts';

export type Given = Readonly<Record<string, unknown>>;

/** What nobody should hear of a server that is neither busy nor broken. */
const mistakes: ReadonlySet<string> = new Set(['internal', 'overloaded', 'outcomeUnknown', 'expired']);
const idleRoundsMax = 1_000;
const effectsMax = 1_000;
const partitions = 3;
/** Less than the silence after which an effect is run again. */
const slicesOfTime = 300_000;
/** Of other servers. */
export const hosts = ['there.test', 'yonder.test'] as const;
const everything = { limit: 10_000 };

const byName: ReadonlyMap<string, Endpoint<GatewayServices>> = new Map(
  (endpoints as readonly Endpoint<GatewayServices>[]).flatMap((endpoint) =>
    endpoint.methods.map((method) => [`${method} ${endpoint.path}`, endpoint] as const),
  ),
);

/** Throws an Error where there is none. */
export function endpointOf(method: Method, path: string): Endpoint<GatewayServices> {
  const found = byName.get(`${method} ${path}`);
  if (found === undefined) throw new Error(`there is no ${method} ${path}`);
  return found;
}

/** One of some, if there are any. */
export function pickOf<One>(random: SeededRandom, some: Iterable<One>): One | undefined {
  const list = [...some];
  return list.length === 0 ? undefined : random.pick(list);
}

/** Nothing is fetched from the servers of the others. */
const unreachableThreads = runnerOf(fetchThreadStep, async ({ statusId, startedAt, step }) => {
  return { statusId, startedAt, step, outcome: 'failed' as const, stored: 0, moreRequests: 0, found: [] };
});

export class LivesTown {
  readonly random: SeededRandom;
  readonly server: TestServer;
  readonly people: People;
  /** Keeps what it has read, and hears of events late. */
  readonly api: MemoryApi;
  readonly locals: readonly Person[];
  readonly remotes: readonly Person[];
  readonly everybody: readonly Person[];
  /** Of everybody's applications. */
  private readonly dialect: Dialect;
  /** Statuses that there have ever been. */
  readonly known = new Set<Id>();
  /** The names of what was asked for and answered. */
  readonly answered = new Map<string, number>();
  private readonly runners: ReadonlyMap<number, EffectRunner<unknown, unknown>>;
  /** Events that have not arrived yet, by partition. */
  private readonly underWay: (() => void)[][] = Array.from({ length: partitions }, () => []);
  private effectsRun = 0;
  private uris = 0;
  private isStepping = false;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.server = createTestServer({ partitions, actors, keyspaces });
    this.people = new People(this.server);
    this.dialect = this.random.pick(dialects);
    this.api = gatewayOf(this.server, this.dialect, (partition, arrive) => void this.underWay[partition]!.push(arrive));
    const { services } = this.api;
    Object.assign(services.client, { call: (envelope: Envelope, flow: Flow) => this.call(envelope, flow) });
    this.runners = new Map([scheduledRunner(services), pollAudienceRunner(services), unreachableThreads]);
    this.locals = ['alice', 'bob', 'carol', 'dave'].map((name) => this.local(name));
    this.remotes = [this.remote('rita', hosts[0]), this.remote('sven', hosts[0]), this.remote('tove', hosts[1])];
    this.everybody = [...this.locals, ...this.remotes];
    for (const one of this.locals) this.people.change(one, { discoverable: true, locked: this.random.chance(0.3) });
    for (const one of this.everybody)
      for (const other of this.everybody)
        if (one !== other && (this.isHere(one) || this.isHere(other)) && this.random.chance(0.4))
          this.server.send(follow(one, other));
    this.server.settle();
  }

  get disks(): readonly MemoryStore[] {
    return this.server.disks as MemoryStore[];
  }

  get now(): number {
    return this.server.clock.now();
  }

  /** One that has kept nothing yet. */
  gateway(): MemoryApi {
    return gatewayOf(this.server, this.dialect);
  }

  /** Joins as everybody does. */
  private local(name: string): Person {
    const account = signUp(name);
    const joined = this.server.callNow(Directory.register.to(nameOfEmail(account.login.email), account));
    if ('taken' in joined) throw new Error(`${name} is taken`);
    return { id: joined.accountId, name, destination: undefined };
  }

  private remote(name: string, host: string): Person {
    const uri = `https://${host}/users/${name}`;
    const [inbox, sharedInbox] = [`${uri}/inbox`, `https://${host}/inbox`];
    const remote = { uri, url: uri, inbox, sharedInbox, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({
      username: name,
      domain: host,
      remote,
      featureApproval: { automatic: ['public'], manual: [] },
    });
    const { accountId } = this.server.callNow(Directory.learn.to(uri, { profile }));
    return { id: accountId, name, destination: { host, inbox, sharedInbox } };
  }

  /** The gateway of a server with the same data in another number of partitions. */
  repartitioned(count: number): { readonly api: MemoryApi; readonly disks: readonly MemoryStore[] } {
    const disks = repartitionedStores(this.disks, count);
    const server = createTestServer({ disks, actors, keyspaces });
    server.clock.advance(this.now - server.clock.now());
    return { api: gatewayOf(server, this.dialect), disks };
  }

  isHere({ destination }: Person): boolean {
    return destination === undefined;
  }

  /** Whether it may sign in. */
  isActive(person: Person): boolean {
    return this.people.profile(person)?.suspendedAt === undefined;
  }

  statuses(): Status[] {
    const { read } = this.server;
    const ids = this.everybody.flatMap(({ id }) =>
      Array.from(statusEntriesOf(read, id, everything), (entry) => entry.id),
    );
    for (const id of ids) this.known.add(id);
    return ids.flatMap((id) => findStatusRecord(read, id) ?? []);
  }

  author(status: Pick<Status, 'accountId'>): Person {
    return this.everybody.find(({ id }) => id === status.accountId)!;
  }

  uri(): string {
    this.uris += 1;
    return `https://there.test/objects/${this.uris}`;
  }

  /** Asks as somebody; throws an Error for anything but an answer or a refusal. */
  async ask(person: Person, method: Method, path: string, given: Given = {}): Promise<void> {
    const endpoint = endpointOf(method, path);
    const hasMoved = this.people.profile(person)?.movedTo !== undefined;
    if (!this.isActive(person) || (hasMoved && !endpoint.admitsMoved && endpoint.authentication === 'user')) return;
    const outcome = await outcomeOf(this.api.ask(endpoint, person, given));
    this.count(`${method} ${path}`, outcome);
  }

  /** Tells an actor, as federation or staff does. */
  async tell(name: string, envelope: Envelope): Promise<void> {
    this.count(name, await outcomeOf(this.call(envelope, 'system')));
  }

  /** Begins all of it, runs it a step of the actors at a time, and then all that it has caused. */
  async finish(work: readonly (() => Promise<unknown>)[]): Promise<void> {
    await this.run(work);
    await this.settle();
  }

  private async run(work: readonly (() => Promise<unknown>)[]): Promise<void> {
    this.isStepping = true;
    const open = new Set(work);
    const ended = Promise.all(work.map((begin) => begin().finally(() => open.delete(begin))));
    // Awaited below: a request that fails before that must not count as unhandled.
    ended.catch(() => undefined);
    for (let idle = 0; open.size > 0; idle += 1) {
      for (let steps = this.random.below(4); steps > 0; steps -= 1) if (this.server.step()) idle = 0;
      if (this.random.chance(0.3)) this.underWay[this.random.below(partitions)]!.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
      if (idle > idleRoundsMax) throw new Error('a request is never answered');
    }
    this.isStepping = false;
    await ended;
    this.server.settle();
  }

  /** Time passes; effects are run soon after they were asked for. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= slicesOfTime) {
      this.server.clock.advance(Math.min(left, slicesOfTime));
      await this.settle();
    }
  }

  /** All events arrive. */
  hear(): void {
    for (const waiting of this.underWay) for (const arrive of waiting.splice(0)) arrive();
  }

  /** Messages that have failed. */
  deadLetters(): unknown[] {
    return this.server.read.partitions.flatMap((partition) => Array.from(partition.range(deadLetters, [])));
  }

  private async settle(): Promise<void> {
    this.server.settle();
    const begin = this.effectsRun;
    while (this.effectsRun < this.server.effects.length) {
      const { effect, request, cause, answer } = this.server.effects[this.effectsRun]!;
      this.effectsRun += 1;
      if (this.effectsRun > begin + effectsMax) throw new Error(`effects go in a circle: ${effect}`);
      const runner = this.runners.get(effect);
      await this.run([async () => answer(runner === undefined ? {} : await runner(request, cause))]);
    }
  }

  private count(name: string, outcome: string): void {
    if (mistakes.has(outcome)) throw new Error(`${name}: ${outcome}`);
    const what = outcome === 'answered' ? name : `${name} refused`;
    this.answered.set(what, (this.answered.get(what) ?? 0) + 1);
  }

  private call(envelope: Envelope, flow: Flow): Promise<unknown> {
    if (!this.isStepping) return this.server.call(envelope, flow);
    return new Promise((resolve, reject: (failure: Failure) => void) => {
      this.server.submit(
        structuredClone(envelope),
        (result, position) => {
          this.server.read.noteCommit(position);
          if (result.ok) resolve(result.value);
          else reject(fromWireFailure(result.failure));
        },
        typeof flow === 'string' ? { flow } : flow,
      );
    });
  }
}

type Late = [carry?: ConstructorParameters<typeof MemoryApi>[1]];

function gatewayOf(server: TestServer, dialect: Dialect, ...late: Late): MemoryApi {
  const api = new MemoryApi(server, ...late);
  api.home = undefined;
  api.dialect = dialect;
  return api;
}

/** Whose account is suspended, or no longer. */
export function suspension(person: Person, suspended: boolean): Envelope {
  return Account.changeLogin.to(person.id, { suspended });
}
