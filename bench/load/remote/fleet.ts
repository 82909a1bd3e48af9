/** Played servers that speak with the server under test: they sign what they send, and verify what they get. */
import { request } from 'undici';
import { LoadFailure } from '../failure.ts';
import { ask } from '../http/check-tokens.ts';
import { Client } from '../http/client.ts';
import type { PartContext } from '../part.ts';
import type { Behaviour } from './behaviours.ts';
import { activityType, serverActorOf } from './documents.ts';
import { createKeys, type KeyType } from './keys.ts';
import { type Delivery, RemoteServers } from './servers.ts';
import { type Dialect, signedGetHeaders, signedHeaders } from './signing.ts';
import { Verifier } from './verification.ts';

export interface FleetInput {
  readonly context: PartContext;
  readonly servers: number;
  readonly port: number;
  readonly keys: number;
  readonly keyType: KeyType;
  readonly dialect: Dialect;
  readonly connections: number;
  readonly timeoutSeconds: number;
  readonly behaviours?: readonly Behaviour[];
  readonly slowMilliseconds?: number;
  readonly delivered: (delivery: Delivery) => void;
}

export interface Sent {
  /** Under which it is counted. */
  readonly name: string;
  readonly server: number;
  /** A person of the server sends it, or the server itself. */
  readonly by: 'person' | 'server';
  /** On the server under test. */
  readonly path: string;
  readonly body: string;
  readonly dueAt: number;
}

export interface RemoteActor {
  readonly uri: string;
  readonly inboxPath: string;
  readonly username: string;
  readonly url: string;
}

export class Fleet {
  private readonly input: FleetInput;
  private readonly client: Client;
  private opened: RemoteServers | undefined;

  constructor(input: FleetInput) {
    const { context, connections, timeoutSeconds, dialect, keyType } = input;
    if (keyType === 'ed25519' && dialect !== 'rfc9421')
      throw new LoadFailure('scenarioInvalid', 'Keys of the type ed25519 need the dialect rfc9421.');
    this.input = input;
    this.client = new Client({ target: context.target, recorder: context.recorder, connections, timeoutSeconds });
  }

  get servers(): RemoteServers {
    if (this.opened === undefined) throw new Error('the fleet is not open');
    return this.opened;
  }

  /** Rejects with a LoadFailure: addressUnavailable. */
  async open(): Promise<void> {
    const {
      context,
      servers: count,
      port,
      keys,
      keyType,
      delivered,
      behaviours = [],
      slowMilliseconds = 0,
    } = this.input;
    context.tell(`making ${Math.min(keys, count)} key pairs`);
    const servers = new RemoteServers({
      count,
      port,
      keys: await createKeys(keyType, Math.min(keys, count)),
      verifier: new Verifier((address) => this.documentAt(address)),
      behaviours,
      slowMilliseconds,
      delivered,
    });
    this.opened = servers;
    await servers.open();
  }

  /** Whether it was answered with 2xx. */
  async send({ name, server, by, path, body, dueAt }: Sent): Promise<boolean> {
    const { context, dialect } = this.input;
    const person = this.servers.person(server);
    const bytes = Buffer.from(body);
    const headers = await signedHeaders(dialect, {
      url: new URL(path, context.target.origin),
      body: bytes,
      keyId: by === 'person' ? person.keyId : serverActorOf(person).keyId,
      privateKey: this.servers.key(server).privateKey,
    });
    const answer = await this.client.send({
      name,
      method: 'POST',
      path,
      token: undefined,
      headers,
      body: bytes,
      dueAt,
    });
    return answer !== undefined && answer.status >= 200 && answer.status < 300;
  }

  /** An actor of the server under test. Rejects with a LoadFailure where there is none. */
  async actor(uri: string): Promise<RemoteActor> {
    const { target } = this.input.context;
    const document = (await this.documentAt(uri)) as
      | { id?: unknown; inbox?: unknown; preferredUsername?: unknown; url?: unknown }
      | undefined;
    const { id, inbox, preferredUsername, url } = document ?? {};
    if (typeof id !== 'string' || typeof inbox !== 'string')
      throw new LoadFailure('recipientUnknown', `There is no actor at ${uri} (asked at ${target.origin}).`);
    return {
      uri: id,
      inboxPath: new URL(inbox).pathname,
      username: typeof preferredUsername === 'string' ? preferredUsername : '',
      url: typeof url === 'string' ? url : id,
    };
  }

  /** The actor of an account as the API shows it. */
  async actorOfToken(token: string | undefined): Promise<RemoteActor> {
    const { context, timeoutSeconds } = this.input;
    if (token === undefined) throw new LoadFailure('tokenRefused', 'There is no token.');
    const path = '/api/v1/accounts/verify_credentials';
    const { status, json } = await ask(context.target, path, timeoutSeconds, { authorization: `Bearer ${token}` });
    const { uri, url } = (json ?? {}) as { uri?: unknown; url?: unknown };
    const address = typeof uri === 'string' ? uri : url;
    if (status !== 200 || typeof address !== 'string')
      throw new LoadFailure('tokenRefused', `The server refuses the token ${token.slice(0, 6)}… (${status}).`);
    return this.actor(address);
  }

  async close(): Promise<void> {
    await this.client.close();
    this.opened?.close();
  }

  /** JSON of the server under test, asked for by the first played server; undefined where there is none. */
  private async documentAt(address: string): Promise<unknown> {
    const { target } = this.input.context;
    const { pathname, search } = new URL(address);
    const url = new URL(pathname + search, target.origin);
    const { keyId } = serverActorOf(this.servers.person(0));
    const key = this.servers.key(0).privateKey;
    const signed = key.asymmetricKeyType === 'rsa' ? await signedGetHeaders(url, keyId, key) : {};
    try {
      const { statusCode, body } = await request(url, {
        headers: { ...target.headers, ...signed, accept: activityType },
      });
      const json = statusCode === 200 ? await body.json() : undefined;
      if (statusCode !== 200) await body.dump();
      return json;
    } catch (error) {
      // Asked for again with the next request that needs it.
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
}
