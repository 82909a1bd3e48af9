/**
 * A remote server built with Fedify: real documents, real signatures, its own verification. Verified activities that it
 * received are in `received`. Its activities carry what those of Hollo and Ghost do: Object Integrity Proofs and Linked
 * Data signatures, an RSA and an Ed25519 key, and RFC 9421 tried first.
 */
import type { webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Context,
  createFederation,
  exportJwk,
  generateCryptoKeyPair,
  importJwk,
  MemoryKvStore,
} from '@fedify/fedify';
import {
  Activity,
  type Object as ActivityObject,
  Endpoints,
  isActor,
  Note,
  Person,
  Question,
  QuoteAuthorization,
} from '@fedify/vocab';

export interface ReceivedActivity {
  readonly activity: Activity;
  /** Its object; undefined where that cannot be fetched, such as that of a Delete. */
  readonly object: ActivityObject | undefined;
}

export interface RemoteProfile {
  readonly name?: string;
  readonly aliases?: readonly URL[];
}

type Served = Note | Question | QuoteAuthorization;

export interface FedifyServer {
  readonly origin: string;
  readonly host: string;
  readonly received: ReceivedActivity[];
  actor(username: string): URL;
  /** A new address. */
  newAddress(kind: 'activities' | 'notes' | 'questions' | 'authorizations'): URL;
  /** Serves the object at its id. */
  serve<Value extends Served>(object: Value): Value;
  person(username: string): Promise<Person>;
  /** Changes the document of an actor. */
  changeProfile(username: string, profile: RemoteProfile): void;
  /** Sends an activity to the inbox of a local actor. */
  send(sender: string, recipient: string | URL, activity: Activity): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with these users. */
export async function startFedifyServer(host: string, usernames: readonly string[]): Promise<FedifyServer> {
  const received: ReceivedActivity[] = [];
  const profiles = new Map<string, RemoteProfile>(usernames.map((username) => [username, {}]));
  const served = new Map<string, Served>();
  const federation = createFederation<void>({ kv: new MemoryKvStore(), allowPrivateAddress: true });
  const pairs = await Promise.all((['RSASSA-PKCS1-v1_5', 'Ed25519'] as const).map(exportedPair));

  async function person(context: Context<void>, username: string): Promise<Person | null> {
    const profile = profiles.get(username);
    if (profile === undefined) return null;
    const keys = await context.getActorKeyPairs(username);
    return new Person({
      id: context.getActorUri(username),
      preferredUsername: username,
      name: profile.name ?? username,
      url: context.getActorUri(username),
      inbox: context.getInboxUri(username),
      outbox: context.getOutboxUri(username),
      followers: new URL(`/users/${username}/followers`, context.origin),
      featured: new URL(`/users/${username}/featured`, context.origin),
      aliases: [...(profile.aliases ?? [])],
      endpoints: new Endpoints({ sharedInbox: context.getInboxUri() }),
      publicKey: keys[0]!.cryptographicKey,
      assertionMethods: keys.map((key) => key.multikey),
    });
  }

  federation
    .setActorDispatcher('/users/{identifier}', person)
    .setKeyPairsDispatcher((_context, username) =>
      profiles.has(username) ? Promise.all(pairs.map((pair) => importedPair(pair))) : [],
    );
  federation.setOutboxDispatcher('/users/{identifier}/outbox', () => Promise.resolve({ items: [] }));
  const shown = (context: Context<void>, path: string) =>
    Promise.resolve((served.get(`${context.origin}${path}`) as never) ?? null);
  federation.setObjectDispatcher(Note, '/notes/{id}', (context, { id }) => shown(context, `/notes/${id}`));
  federation.setObjectDispatcher(Question, '/questions/{id}', (context, { id }) => shown(context, `/questions/${id}`));
  federation.setObjectDispatcher(QuoteAuthorization, '/authorizations/{id}', (context, { id }) =>
    shown(context, `/authorizations/${id}`),
  );
  federation.setInboxListeners('/users/{identifier}/inbox', '/inbox').on(Activity, async (context, activity) => {
    const object = await activity.getObject({ documentLoader: context.documentLoader }).catch(() => null);
    received.push({ activity, object: object ?? undefined });
  });

  const server = createServer(
    (request, response) => void respond(federation.fetch.bind(federation), request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const context = federation.createContext(new URL(origin), undefined);

  return {
    origin,
    host: origin.slice('http://'.length),
    received,
    actor: (username) => context.getActorUri(username),
    newAddress: (kind) => new URL(`/${kind}/${crypto.randomUUID()}`, origin),
    serve(object) {
      served.set(object.id!.href, object);
      return object;
    },
    person: async (username) => (await person(context, username))!,
    changeProfile: (username, profile) => void profiles.set(username, profile),
    async send(sender, recipient, activity) {
      const found = await context.lookupObject(recipient);
      if (!isActor(found)) throw new Error(`${recipient.toString()} is no actor`);
      await context.sendActivity({ identifier: sender }, found, activity, { immediate: true });
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type ExportedPair = Readonly<Record<'publicKey' | 'privateKey', Awaited<ReturnType<typeof exportJwk>>>>;

async function exportedPair(algorithm: 'RSASSA-PKCS1-v1_5' | 'Ed25519'): Promise<ExportedPair> {
  const pair = await generateCryptoKeyPair(algorithm);
  return { publicKey: await exportJwk(pair.publicKey), privateKey: await exportJwk(pair.privateKey) };
}

async function importedPair({ publicKey, privateKey }: ExportedPair): Promise<webcrypto.CryptoKeyPair> {
  return { publicKey: await importJwk(publicKey, 'public'), privateKey: await importJwk(privateKey, 'private') };
}

async function respond(
  handle: (request: Request, options: { contextData: undefined }) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method!,
    headers: Object.entries(incoming.headers).map(([key, value]) => [key, String(value)] as [string, string]),
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  });
  const answer = await handle(request, { contextData: undefined });
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
}
