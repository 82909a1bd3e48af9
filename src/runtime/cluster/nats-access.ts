/** Connections to NATS. */
import { readFileSync } from 'node:fs';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';

/** Where the servers are, and who asks. */
export interface NatsAddress {
  /** Addresses such as nats://user:password@host:4222 or tls://host. */
  readonly servers: readonly string[];
  /** A file of credentials (.creds). */
  readonly credentialsFile: string | undefined;
  /** A file with the certificates of those who may have signed the servers' certificates. */
  readonly authoritiesFile: string | undefined;
}

const connectMilliseconds = 10_000;
const reconnectMilliseconds = 250;
const defaultAnswerMilliseconds = 3_000;

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
    ignoreClusterUpdates: false,
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
}

/** A connection that is made when it is first needed. Rejects where no server answers; the next call tries again. */
export interface NatsAccess {
  /** How long an answer is waited for. */
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

/** The packages are loaded here, because a server on its own needs none of them. */
async function open(address: NatsAddress, timeout: number): Promise<NatsClient> {
  const { connect, credsAuthenticator } = await import('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  const { credentialsFile } = address;
  const credentials = credentialsFile === undefined ? undefined : readNamed(credentialsFile);
  const authenticator = credentials && { authenticator: credsAuthenticator(credentials) };
  const connection = await connect({ ...connectionOptions(address), ...authenticator });
  try {
    const manager = await jetstreamManager(connection, { timeout, checkAPI: false });
    return { connection, jetstream: jetstream(connection), manager };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
