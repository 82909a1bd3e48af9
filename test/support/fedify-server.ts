/**
 * A remote server built with Fedify, with one account: real documents, real signatures, its own verification. What it
 * receives and accepts as signed is in `received`.
 */
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
  Announce,
  Create,
  Endpoints,
  Follow,
  getTypeId,
  isActor,
  Like,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Undo,
} from '@fedify/vocab';

export interface ReceivedActivity {
  readonly type: string;
  readonly id: string | undefined;
  readonly objectId: string | undefined;
  /** HTML of the note inside, if there is one. */
  readonly content: string | undefined;
}

export interface FedifyServer {
  readonly origin: string;
  readonly host: string;
  readonly actor: string;
  readonly received: ReceivedActivity[];
  follow(actor: string): Promise<void>;
  unfollow(actor: string): Promise<void>;
  /** Publishes a reply and sends it to the author; answers its URI. */
  reply(actor: string, statusUri: string, html: string): Promise<string>;
  like(actor: string, statusUri: string): Promise<void>;
  boost(actor: string, statusUri: string): Promise<void>;
  stop(): Promise<void>;
}

const name = 'remy';

export async function startFedifyServer(host: string): Promise<FedifyServer> {
  const received: ReceivedActivity[] = [];
  const federation = createFederation<void>({ kv: new MemoryKvStore(), allowPrivateAddress: true });
  const pair = await generateCryptoKeyPair('RSASSA-PKCS1-v1_5');
  const [publicJwk, privateJwk] = [await exportJwk(pair.publicKey), await exportJwk(pair.privateKey)];
  const notes = new Map<string, Note>();

  federation
    .setActorDispatcher('/users/{identifier}', async (context, identifier) => {
      if (identifier !== name) return null;
      const keys = await context.getActorKeyPairs(identifier);
      return new Person({
        id: context.getActorUri(identifier),
        preferredUsername: identifier,
        name: 'Remy',
        url: context.getActorUri(identifier),
        inbox: context.getInboxUri(identifier),
        outbox: context.getOutboxUri(identifier),
        followers: new URL('/users/remy/followers', context.origin),
        endpoints: new Endpoints({ sharedInbox: context.getInboxUri() }),
        publicKey: keys[0]!.cryptographicKey,
        assertionMethods: keys.map((key) => key.multikey),
      });
    })
    .setKeyPairsDispatcher(async (_context, identifier) =>
      identifier === name
        ? [{ publicKey: await importJwk(publicJwk, 'public'), privateKey: await importJwk(privateJwk, 'private') }]
        : [],
    );
  federation.setOutboxDispatcher('/users/{identifier}/outbox', () => Promise.resolve({ items: [] }));
  federation.setObjectDispatcher(Note, '/notes/{id}', (_context, { id }) => Promise.resolve(notes.get(id) ?? null));

  const inbox = federation.setInboxListeners('/users/{identifier}/inbox', '/inbox');
  inbox.on(Activity, async (context, activity) => {
    // An object that is gone, as that of a Delete, cannot be fetched.
    const object = await activity.getObject({ documentLoader: context.documentLoader }).catch(() => null);
    received.push({
      type: getTypeId(activity).hash.slice(1),
      id: activity.id?.href,
      objectId: activity.objectId?.href,
      content: object instanceof Note ? object.content?.toString() : undefined,
    });
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
    actor: `${origin}/users/${name}`,
    received,
    async follow(actor) {
      const id = new URL(`/follows/${crypto.randomUUID()}`, origin);
      await send(context, actor, new Follow({ id, actor: context.getActorUri(name), object: new URL(actor) }));
    },
    async unfollow(actor) {
      const follow = new Follow({
        id: new URL('/follows/undone', origin),
        actor: context.getActorUri(name),
        object: new URL(actor),
      });
      await send(
        context,
        actor,
        new Undo({
          id: new URL(`/undos/${crypto.randomUUID()}`, origin),
          actor: context.getActorUri(name),
          object: follow,
        }),
      );
    },
    async reply(actor, statusUri, html) {
      const id = crypto.randomUUID();
      const note = new Note({
        id: new URL(`/notes/${id}`, origin),
        attribution: context.getActorUri(name),
        content: html,
        replyTarget: new URL(statusUri),
        to: PUBLIC_COLLECTION,
        cc: new URL(actor),
      });
      notes.set(id, note);
      const create = new Create({
        id: new URL(`/notes/${id}/activity`, origin),
        actor: context.getActorUri(name),
        object: note,
        to: PUBLIC_COLLECTION,
        cc: new URL(actor),
      });
      await send(context, actor, create);
      return note.id!.href;
    },
    async like(actor, statusUri) {
      const id = new URL(`/likes/${crypto.randomUUID()}`, origin);
      await send(context, actor, new Like({ id, actor: context.getActorUri(name), object: new URL(statusUri) }));
    },
    async boost(actor, statusUri) {
      const id = new URL(`/boosts/${crypto.randomUUID()}`, origin);
      const boost = new Announce({
        id,
        actor: context.getActorUri(name),
        object: new URL(statusUri),
        to: PUBLIC_COLLECTION,
        cc: new URL(actor),
      });
      await send(context, actor, boost);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function send(
  context: Context<void>,
  actor: string,
  activity: Parameters<Context<void>['sendActivity']>[2],
): Promise<void> {
  const recipient = await context.lookupObject(actor);
  if (!isActor(recipient)) throw new Error(`${actor} is no actor`);
  await context.sendActivity({ identifier: name }, recipient, activity, { immediate: true });
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
