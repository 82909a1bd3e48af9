/**
 * A gateway and a network thread over memory partitions, and simulated other servers: their documents, accounts,
 * signatures and requests.
 */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../src/actors/account/account.records.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { statusIdOfUri } from '../../src/actors/account/statuses/statuses.queries.ts';
import type { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { accountIdOfName } from '../../src/actors/directory/directory.queries.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { LocalSigners } from '../../src/federation/local-signers.ts';
import { createRemoteRole } from '../../src/federation/remote-objects/remote-role.ts';
import { activityPubRoutes } from '../../src/gateway/activitypub/activitypub.routes.ts';
import { domainPolicyRunner } from '../../src/operations/administration/apply-domain-policy.ts';
import { purgeServerRunner } from '../../src/operations/administration/purge-slice.ts';
import { pollAudienceRunner } from '../../src/operations/polls/poll-audience.ts';
import { planMemory } from '../../src/options/memory.ts';
import { planThreads } from '../../src/options/threads.ts';
import { type FetchResult, fetchFailure } from '../../src/outbound/fetcher/fetch-result.ts';
import type { Fetcher, FetchRequest } from '../../src/outbound/fetcher/fetcher.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';
import { fetcherLimits } from '../../src/outbound/fetcher/limits.ts';
import { createRemoteHtmlCleaner } from '../../src/outbound/remote-html/remote-html.ts';
import { sanitizeRemoteHtmlBatch } from '../../src/outbound/remote-html/sanitize.task.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import { networkEvents } from '../../src/server/network-role.ts';
import { roleMemory, wantedThreads } from '../../src/server/roles.ts';
import { createThreadServices } from '../../src/server/thread-services.ts';
import { FolderStore } from '../../src/services/blobs/folder-store.ts';
import type { CleanRemoteHtml } from '../../src/services/clean-remote-html.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { networkPassedOn } from '../../src/services/network-passed-on.ts';
import type { Answerer, NetworkServices } from '../../src/services/network-services.ts';
import { type AskNetwork, networkResolver } from '../../src/services/resolver.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { only } from '../support/only.ts';
import { plainPost } from '../support/plain-post.ts';
import { addAccount } from '../support/sign-up.ts';
import { signedHeaders } from './signed-headers.ts';

/** Nothing is stored in it. */
const noFolder = '/nowhere';

export const home = 'https://social.example';
export const publicAudience = 'https://www.w3.org/ns/activitystreams#Public';

type Json = Record<string, unknown>;

/** Two pairs for everybody: making one takes long. */
const pairs = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

function pemOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

const secrets = {
  formSecret: 'a secret',
  keyPair: {
    publicKeyPem: pemOf(pairs[0]!.publicKey),
    privateKeyPem: pairs[0]!.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    createdAt: 0,
  },
  vapidPublicKey: '',
  vapidPrivateKey: '',
};

/** For all local accounts. */
const oneKeyPair = { of: () => secrets.keyPair };

export class RemotePerson {
  readonly host: string;
  readonly username: string;
  readonly uri: string;
  /** In the place of what the document says otherwise. */
  readonly more: Json;
  keyId: string;
  pair = pairs[0]!;

  constructor(host: string, username: string, more: Json = {}) {
    this.more = more;
    this.host = host;
    this.username = username;
    this.uri = `https://${host}/users/${username}`;
    this.keyId = `${this.uri}#main-key`;
  }

  /** In the form of Mastodon's actors. */
  get document(): Json {
    return {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id: this.uri,
      type: 'Person',
      preferredUsername: this.username,
      name: this.username,
      inbox: `${this.uri}/inbox`,
      followers: `${this.uri}/followers`,
      endpoints: { sharedInbox: `https://${this.host}/inbox` },
      publicKey: { id: this.keyId, owner: this.uri, publicKeyPem: pemOf(this.pair.publicKey) },
      ...this.more,
    };
  }

  /** A new key takes the place of the one that others know. */
  rotateKey(): void {
    this.pair = pairs[1]!;
  }

  note(id: string, more: Json = {}): Json {
    return {
      id: `https://${this.host}/notes/${id}`,
      type: 'Note',
      attributedTo: this.uri,
      published: '2025-01-01T11:00:00Z',
      to: [publicAudience],
      cc: [`${this.uri}/followers`],
      content: `<p>${id}</p>`,
      ...more,
    };
  }

  activity(type: string, object: unknown, more: Json = {}): Json {
    const id = `https://${this.host}/activities/${createHash('sha256')
      .update(JSON.stringify([type, object]))
      .digest('hex')}`;
    return { '@context': 'https://www.w3.org/ns/activitystreams', id, type, actor: this.uri, object, ...more };
  }

  create(note: Json): Json {
    return this.activity('Create', note, { to: note.to, cc: note.cc });
  }
}

export interface SendOptions {
  readonly inbox?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further headers, by lower-case names, which the signature covers. */
  readonly signed?: Readonly<Record<string, string>>;
  /** What is sent instead of what was signed. */
  readonly body?: string;
  /** The gateway thread that takes it; the first one when absent. */
  readonly thread?: TestGateway;
}

/** Alice is here, Bob at `remote.example`, and she follows him. */
export async function aliceFollowsBob() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  await bed.follow(alice, bob);
  return { bed, alice, bob };
}

export class InboundBed {
  readonly gateway: TestGateway;
  /** What other servers serve, by URL; a string is an answer's kind of failure. */
  readonly web = new Map<string, Json | 'gone' | 'notFound' | 'unreachable'>();
  /** URLs that are answered only to whoever signs with one of these keys. */
  readonly restricted = new Map<string, readonly string[]>();
  /** URLs in the order in which they were asked for. */
  readonly asked: string[] = [];
  /** Leaves the work of network threads undone. */
  holdEffects = false;
  /** So many calls were made; those from now on wait for this. */
  calls = 0;
  holdCalls: Promise<unknown> | undefined;
  /** What an operation works with on the network thread. */
  readonly network: NetworkServices;
  /** The commits that the network thread asked the gateway to have applied. */
  readonly awaitedCommits: ReadonlyMap<number, number>[] = [];
  private readonly threads: TestGateway[] = [];
  private readonly answerers: ReadonlyMap<string, Answerer>;
  private readonly runEffect;
  private effectsRun = 0;

  constructor() {
    this.gateway = startTestGateway({
      endpoints: [],
      rawRoutes: activityPubRoutes({}),
      isTraced: true,
      secrets,
      environment: { MURMURATION_FETCH_REPLIES_PAUSE: '0' },
    });
    this.threads.push(this.gateway);
    onTestFinished(() => this.close());
    const { services } = this.gateway;
    const { call } = services.client;
    const heldCall: typeof call = async (envelope, flow) => {
      this.calls += 1;
      await this.holdCalls;
      return call(envelope, flow);
    };
    Object.assign(services.client, { call: heldCall });
    const cleanHtml = createRemoteHtmlCleaner((batch) => Promise.resolve(sanitizeRemoteHtmlBatch(batch)));
    this.network = this.networkServices(cleanHtml);
    const role = createRemoteRole(this.network, this.fetcher(), new LocalSigners(this.network, oneKeyPair));
    this.answerers = new Map(role.answerers);
    const runners = [pollAudienceRunner, domainPolicyRunner, purgeServerRunner].map((of) => of(this.network));
    this.runEffect = new Map([...role.effects, ...runners]);
    Object.assign(services, {
      cleanHtml,
      resolver: networkResolver(this.askNetwork, services.snapshots.placement, services.report),
      passedOn: networkPassedOn(this.askNetwork, { placement: services.snapshots.placement, metrics: undefined }),
    });
    services.barrier.start(services.snapshots.commits);
    this.network.barrier.start(services.snapshots.commits);
  }

  get read() {
    return this.gateway.actors.read;
  }

  get now(): number {
    return this.gateway.services.now();
  }

  /** Somebody whose actor can be fetched and found. */
  person(host: string, username: string, more: Json = {}): RemotePerson {
    const person = new RemotePerson(host, username, more);
    this.serve(person);
    return person;
  }

  serve(person: RemotePerson): void {
    this.web.set(person.uri, person.document);
    const resource = encodeURIComponent(`acct:${person.username}@${person.host}`);
    this.web.set(`https://${person.host}/.well-known/webfinger?resource=${resource}`, {
      subject: `acct:${person.username}@${person.host}`,
      links: [{ rel: 'self', type: 'application/activity+json', href: person.uri }],
    });
  }

  local(username: string, login = {}): Promise<bigint> {
    return addAccount(this.gateway.actors, username, login);
  }

  /** The account of a remote person, asked for as a search does. */
  async know(person: RemotePerson): Promise<bigint> {
    const handle = `${person.username}@${person.host}`;
    const accountId = await this.gateway.services.resolver.resolveHandle(handle, 1_000);
    if (accountId === undefined) throw new Error(`${handle} is not to be found`);
    return accountId;
  }

  /** A local account follows a remote one, whose server accepts. */
  async follow(localId: bigint, person: RemotePerson): Promise<bigint> {
    const targetId = await this.know(person);
    await this.gateway.actors.call(Account.follow.to(localId, { targetId, options: {} }));
    return targetId;
  }

  async publish(localId: bigint, content: string, more: { visibility?: Visibility } = {}): Promise<bigint> {
    const message = plainPost(content, more);
    return (await this.gateway.actors.call(Account.publish.to(localId, message))).statusId;
  }

  /** Posts an activity, signed as every server does, and runs what it causes. Answers the HTTP status. */
  async send(person: RemotePerson, activity: unknown, options: SendOptions = {}): Promise<number> {
    const path = options.inbox ?? '/inbox';
    const signed = JSON.stringify(activity);
    const headers = { ...signedHeaders(person, path, signed, this.now, options.signed), ...options.headers };
    return this.post(path, options.body ?? signed, headers, options.thread);
  }

  /** Another gateway thread, which is also what the first one is after a restart: it remembers nothing. */
  anotherThread(): TestGateway {
    const thread = startTestGateway({ endpoints: [], rawRoutes: activityPubRoutes({}), beside: this.gateway });
    this.threads.push(thread);
    return thread;
  }

  /** At the end of the test; earlier where one test makes many. */
  async close(): Promise<void> {
    for (const thread of this.threads.splice(0)) await thread.close();
  }

  async post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    thread: TestGateway = this.gateway,
  ): Promise<number> {
    const given = { 'content-type': 'application/activity+json', ...headers };
    const response = await thread.fetch(path, { method: 'POST', body, headers: given } as never);
    await this.runEffects();
    return response.status;
  }

  /** A remote status that is here. */
  stored(uri: unknown): Status | undefined {
    const statusId = statusIdOfUri(this.read, String(uri));
    return statusId === undefined ? undefined : findStatusRecord(this.read, statusId);
  }

  /** The activities that were written for other servers; empty where there is nothing to send any more. */
  sent(): JsonObject[] {
    return this.read.partitions
      .flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value.intent))
      .map((intent) => translateIntent(intent, this.read, this.gateway.services.addresses)?.activity ?? {});
  }

  /** What is delivered to a single inbox, oldest first. */
  deliveriesTo(inbox: string) {
    return this.read.partitions
      .flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value))
      .filter(({ single }) => single.some((one) => one.inbox === inbox))
      .map(({ intent }) => intent);
  }

  accountOf(uri: string): bigint | undefined {
    return accountIdOfName(this.read, uri);
  }

  async runEffects(): Promise<void> {
    const { actors } = this.gateway;
    while (!this.holdEffects && this.effectsRun < actors.effects.length) {
      const { effect, request, cause, answer } = actors.effects[this.effectsRun]!;
      this.effectsRun += 1;
      answer(await this.runEffect.get(effect)!(request, cause));
      actors.settle();
    }
  }

  /** As the composition makes them for the one network thread of a server with one gateway. */
  private networkServices(cleanHtml: CleanRemoteHtml): NetworkServices {
    const { options, client, snapshots, now, monotonic, report, barrier } = this.gateway.services;
    // Its questions to the gateway are answered there.
    const ask = (_role: string, _index: number, _topic: string, commits: ReadonlyMap<number, number>) => {
      this.awaitedCommits.push(commits);
      return barrier.answer(commits);
    };
    const plan = planThreads(wantedThreads, options, 1);
    const memory = planMemory(roleMemory, options, plan, 0);
    const services = createThreadServices({
      thread: {
        name: { role: 'network', index: 0, number: 2 },
        counts: { owner: 1, gateway: 1, network: 1 },
        shared: { options, ringMemory: [], memory, dataDirectory: noFolder },
      },
      client: only<Client>('client', { ...client, ask, placement: snapshots.placement } as Partial<Client>),
      snapshots,
      blobStores: { current: new FolderStore(noFolder), earlier: [], folderBetween: noFolder },
      events: this.networkHub(),
      cleanHtml,
      signedDocuments: this.gateway.services.signedDocuments,
      askNetwork: this.askNetwork,
      now,
      monotonic,
      report,
    });
    return {
      ...services,
      ...{ index: 0, count: 1, remoteMedia: this.gateway.services.remoteMedia },
      htmlPool: only<Pool>('html pool', {}),
      mediaPool: only<Pool>('media pool', {}),
      filmPool: only<Pool>('film pool', {}),
      mailFolder: 'mails',
    };
  }

  private readonly askNetwork: AskNetwork = async <Reply>(_index: number, topic: string, request: unknown) =>
    (await this.answerers.get(topic)!(request)) as Reply;

  /** Owners tell network threads of some events only. */
  private networkHub(): EventHub {
    const hub = new EventHub();
    this.gateway.services.events.subscribe((batch) => {
      const events = batch.events.filter(({ event }) => networkEvents.includes(event));
      if (events.length > 0) hub.dispatch({ ...batch, events }, []);
    });
    return hub;
  }

  private fetcher(): Fetcher {
    const get = async ({ url, signer }: FetchRequest): Promise<FetchResult> => {
      const bare = url.replace(/#.*$/, '');
      this.asked.push(bare);
      const mayAsk = this.restricted.get(bare)?.includes(signer?.keyId ?? '') ?? true;
      if (!mayAsk) return fetchFailure('notFound', `${bare} is not for ${signer?.keyId}`);
      const found = this.web.get(bare) ?? 'notFound';
      if (typeof found === 'string') return fetchFailure(found, `${bare} is ${found}`);
      const body = Buffer.from(JSON.stringify(found));
      return {
        ok: true,
        status: 200,
        url: bare,
        headers: {},
        contentType: 'application/activity+json',
        body,
        cut: false,
      };
    };
    const connections = only<Fetcher['connections']>('connections', { limits: fetcherLimits });
    return only<Fetcher>('fetcher', { get, connections });
  }
}
