/** A server with one person: it shows the actor with its key, is found by WebFinger, signs what the person sends, and counts what arrives. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { addressOf } from './addresses.ts';
import { createActivity, type Mentioned, type RemotePerson, remotePerson, signedPost } from './people.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface RemoteSender {
  readonly person: RemotePerson;
  readonly publicKeyPem: string;
  /** How many POSTs it has taken. */
  readonly arrived: number;
  /** The bytes of a POST of the post with this number. */
  signed(host: string, number: number, mentioned?: readonly Mentioned[]): string;
  /** The bytes of a POST of a Follow of the actor at this address. */
  signedFollow(host: string, actor: string): string;
  close(): void;
}

export async function openRemoteSender(index: number, port: number): Promise<RemoteSender> {
  const person = remotePerson(index, port);
  const { host, username, uri, keyId } = person;
  const publicKeyPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const actor = JSON.stringify({
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: username,
    inbox: `http://${host}/inbox`,
    publicKey: { id: keyId, owner: uri, publicKeyPem },
  });
  const found = JSON.stringify({
    subject: `acct:${username}@${host}`,
    links: [{ rel: 'self', type: 'application/activity+json', href: uri }],
  });
  let arrived = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') {
      arrived += 1;
      response.writeHead(202).end();
    } else if (request.url!.startsWith('/.well-known/webfinger?'))
      response.writeHead(200, { 'content-type': 'application/jrd+json' }).end(found);
    else response.writeHead(200, { 'content-type': 'application/activity+json' }).end(actor);
  });
  await new Promise<void>((listening) => void server.listen(port, addressOf(index), listening));
  return {
    person,
    publicKeyPem,
    get arrived() {
      return arrived;
    },
    signed(to, number, mentioned = []) {
      const publishedAt = Math.floor(Date.now() / 1_000) * 1_000;
      return signedPost(person, keys.privateKey, to, createActivity(person, { number, publishedAt, mentioned }));
    },
    signedFollow(to, object) {
      const follow = { '@context': 'https://www.w3.org/ns/activitystreams', type: 'Follow', actor: uri, object };
      return signedPost(person, keys.privateKey, to, JSON.stringify({ ...follow, id: `${uri}/follows/${to}` }));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
