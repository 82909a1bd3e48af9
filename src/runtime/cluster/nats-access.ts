/** Connections to NATS. */
import { readFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { JetStreamApiError, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection, Server } from '@nats-io/transport-node';

/** Where the servers are, and who asks. */
export interface NatsAddress {
  /** Addresses such as nats://user:password@host:4222 or tls://host. */
  readonly servers: readonly string[];
  /** A file of credentials (.creds). */
  readonly credentialsFile: string | undefined;
  /** A file with the certificates of those who may have signed the servers' certificates. */
  readonly authoritiesFile: string | undefined;
}

/** For each server, the first time: one whose machine is gone must not hold up a take-over. */
const connectMilliseconds = 2_000;
/** For each server where none has answered in that time: busy machines take longer. */
const patientConnectMilliseconds = 10_000;
const reconnectMilliseconds = 100;
/** A server that is silent for longer is left for another one: a lease ends after six seconds without a renewal. */
const pings = { pingInterval: 500, maxPingOut: 3 } as const;
/** How long an answer is waited for, unless whoever asks says otherwise. */
const defaultAnswerMilliseconds = 3_000;
/** The same of a question that is asked again: while nobody leads there is no answer, and who asks often goes on soon after an election. */
const quickMilliseconds = 1_000;

/** By itself the client asks the server first that it has just lost, and waits for one whose machine is gone. */
function longestAgo(servers: readonly Server[]): Server {
  return servers.reduce((best, server) => (server.lastConnect < best.lastConnect ? server : best));
}

/** Busy servers, and those that elect a leader, answer late as well: nobody hurries from one to the next. */
const stayMilliseconds = 1_000;
const leftAt = new WeakMap<NatsConnection, number>();

/**
 * Where a question has no answer, the connection goes on with another server: one that is cut off from the others answers pings,
 * and little else. Rejects as the question does.
 */
export async function answeredOrLeft<Value>(connection: NatsConnection, ask: () => Promise<Value>): Promise<Value> {
  const asked = connection.getServer();
  try {
    return await ask();
  } catch (error) {
    if (!isRefusal(error) && connection.getServer() === asked) await leave(connection);
    throw error;
  }
}

async function leave(connection: NatsConnection): Promise<void> {
  const now = performance.now();
  if (connection.isClosed() || now < (leftAt.get(connection) ?? -stayMilliseconds) + stayMilliseconds) return;
  leftAt.set(connection, now);
  await connection.reconnect();
}

/** What a server answers while nobody leads. */
export const temporarilyUnavailable = 10_008;

/** Somebody has answered. */
function isRefusal(error: unknown): boolean {
  const refuses = error instanceof Error && error.name === 'JetStreamApiError';
  return refuses && (error as JetStreamApiError).code !== temporarilyUnavailable;
}

/** As the client takes it, which reads no names and passwords in addresses. */
export function connectionOptions({ servers, credentialsFile, authoritiesFile }: NatsAddress): ConnectionOptions {
  const urls = servers.map((server) => new URL(server));
  const named = urls.find(({ username }) => username !== '');
  const isEncrypted = authoritiesFile !== undefined || urls.some(({ protocol }) => protocol === 'tls:');
  const user = named && { user: decodeURIComponent(named.username), pass: decodeURIComponent(named.password) };
  return {
    servers: urls.map(({ host }) => host),
    ...(credentialsFile === undefined && user),
    ...(isEncrypted && { tls: authoritiesFile === undefined ? {} : { caFile: authoritiesFile } }),
    name: 'murmuration',
    timeout: connectMilliseconds,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMilliseconds,
    ...pings,
    ignoreClusterUpdates: false,
    reconnectToServer: longestAgo,
  };
}

function readNamed(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`The file of credentials ${file} cannot be read.`, { cause });
  }
}

export interface NatsClient {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** For what is asked again where there is no answer. */
  readonly quickManager: JetStreamManager;
}

/** A connection that is made when it is first needed. Rejects where no server answers; the next call tries again. */
export interface NatsAccess {
  /** How long an answer to an append is waited for. */
  readonly answerMilliseconds: number;
  client(): Promise<NatsClient>;
  close(): Promise<void>;
}

export function natsAccess(address: NatsAddress, answerMilliseconds = defaultAnswerMilliseconds): NatsAccess {
  let opened: Promise<NatsClient> | undefined;
  return {
    answerMilliseconds,
    client() {
      opened ??= open(address, answerMilliseconds).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      // A failure to open was told to whoever asked for the client.
      const [client] = await Promise.allSettled([opened]);
      if (client.status === 'fulfilled') await client.value?.connection.close();
    },
  };
}

/** Of somebody else's connection, which stays open. */
export function sharedAccess(client: NatsClient, answerMilliseconds = defaultAnswerMilliseconds): NatsAccess {
  return { answerMilliseconds, client: () => Promise.resolve(client), close: () => Promise.resolve() };
}

/** Loaded when they are first needed, because a server on its own needs none of them. */
async function natsPackages() {
  const [transport, streams] = await Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]);
  const { connect, credsAuthenticator } = transport;
  const { jetstream, jetstreamManager } = streams;
  return { connect, credsAuthenticator, jetstream, jetstreamManager };
}

const natsPort = 4222;
/** Servers greet whoever connects. Those that expect TLS at once do not, and are taken as they come. */
const greetingMilliseconds = 500;

/** One whose machine is gone, or that stands still, would be waited for at each connection of a take-over. */
async function quickestFirst(servers: readonly string[]): Promise<string[]> {
  if (servers.length < 2) return [...servers];
  const done = new AbortController();
  const greetings = servers.map((server) => greeting(server, done.signal));
  const late = setTimeout(greetingMilliseconds, undefined, { signal: done.signal });
  try {
    const quickest = await Promise.any([...greetings, late]);
    return servers.toSorted((one, other) => Number(other === quickest) - Number(one === quickest));
  } finally {
    done.abort();
    await Promise.allSettled([...greetings, late]);
  }
}

/** Resolves with the server once it says something. */
function greeting(server: string, signal: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(`nats://${server}`);
  return new Promise((resolve, reject) => {
    const socket = connectTo({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || natsPort, signal });
    socket.once('data', () => resolve(server));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('it did not greet')));
  });
}

async function open(address: NatsAddress, timeout: number): Promise<NatsClient> {
  const { connect, credsAuthenticator, jetstream, jetstreamManager } = await natsPackages();
  const { credentialsFile } = address;
  const credentials = credentialsFile === undefined ? undefined : readNamed(credentialsFile);
  const authenticator = credentials && { authenticator: credsAuthenticator(credentials) };
  const known = connectionOptions(address);
  const servers = await quickestFirst(known.servers as readonly string[]);
  const options = { ...known, servers, noRandomize: true, ...authenticator };
  const connection = await connect(options).catch(() => connect({ ...options, timeout: patientConnectMilliseconds }));
  try {
    const manager = await jetstreamManager(connection, { timeout, checkAPI: false });
    const quickManager = await jetstreamManager(connection, { timeout: quickMilliseconds, checkAPI: false });
    return { connection, jetstream: jetstream(connection, { timeout }), manager, quickManager };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
