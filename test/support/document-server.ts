/** A small server with documents of people and their posts, as other servers have them: ActivityPub over plain HTTP. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface DocumentServer {
  readonly origin: string;
  /** Serves a public note of somebody with the same name, and returns its id. */
  note(name: string, more?: Json): string;
  close(): Promise<void>;
}

export async function startDocumentServer(address: string): Promise<DocumentServer> {
  const { publicKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKeyPem = key.export({ type: 'spki', format: 'pem' }).toString();
  const documents = new Map<string, Json>();
  const server = createServer((request, response) => {
    const document = documents.get(request.url ?? '');
    if (document === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/activity+json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const host = `${address}:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const serve = (document: Json) => void documents.set(String(document.id).slice(origin.length), document);
  /** Found by name too. */
  const person = (username: string) => {
    const id = `${origin}/users/${username}`;
    const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem };
    serve({ id, type: 'Person', preferredUsername: username, inbox: `${id}/inbox`, publicKey });
    const resource = encodeURIComponent(`acct:${username}@${host}`);
    const links = [{ rel: 'self', type: 'application/activity+json', href: id }];
    documents.set(`/.well-known/webfinger?resource=${resource}`, { subject: `acct:${username}@${host}`, links });
    return id;
  };
  const note = (name: string, more: Json = {}) => {
    const id = `${origin}/notes/${name}`;
    const to = ['https://www.w3.org/ns/activitystreams#Public'];
    const published = '2026-01-01T00:00:00Z';
    serve({ id, type: 'Note', attributedTo: person(name), to, content: name, published, ...more });
    return id;
  };
  return {
    ...{ origin, note },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
