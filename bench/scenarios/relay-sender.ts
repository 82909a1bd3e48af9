/** A server that sends to a relay: its person, with a key, whose actor it shows. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { addressOf } from '../load/remote/addresses.ts';
import { createActivity, type RemotePerson, remotePerson, signedPost } from '../load/remote/people.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface RelaySender {
  readonly person: RemotePerson;
  readonly publicKeyPem: string;
  /** The bytes of a POST of the post with this number. */
  signed(host: string, number: number): string;
  close(): void;
}

export async function openRelaySender(index: number, port: number): Promise<RelaySender> {
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
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') response.writeHead(202).end();
    else response.writeHead(200, { 'content-type': 'application/activity+json' }).end(actor);
  });
  await new Promise<void>((listening) => void server.listen(port, addressOf(index), listening));
  return {
    person,
    publicKeyPem,
    signed(to, number) {
      const publishedAt = Math.floor(Date.now() / 1_000) * 1_000;
      return signedPost(person, keys.privateKey, to, createActivity(person, { number, publishedAt, mentioned: [] }));
    },
    close: () => void server.close(),
  };
}
