/**
 * Servers that subscribe to a relay, all in this process: one port, and an address of 127.0.0.0/8 for each. They have
 * actors with keys, sign what they send, verify what arrives, and answer as a test says.
 */
import {
  createHash,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { withProof } from '../../../src/federation/document-signatures/integrity-proofs.ts';
import { ed25519Multikey } from '../../../src/outbound/signatures/multikey.ts';
import { quickFetch } from '../../support/fetch.ts';
import { until } from '../../support/until.ts';

export interface Arrival {
  readonly host: string;
  readonly activity: Record<string, unknown>;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly isVerified: boolean;
}

export type Answers = (arrival: Arrival) => number | Promise<number>;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
/** Of everybody, with which they prove what they write. */
const proofKeys = generateKeyPairSync('ed25519');
const publicAudience = 'https://www.w3.org/ns/activitystreams#Public';

export class RelayFleet {
  readonly arrivals: Arrival[] = [];
  readonly port: number;
  /** Objects that are fetched, by their address. */
  readonly objects = new Map<string, object>();
  /** The summary of people, by their address. */
  readonly summaries = new Map<string, string>();
  /** Inboxes that are not where they should be, by the address of the actor. */
  readonly inboxes = new Map<string, string>();
  answers: Answers = () => 202;
  /** What is awaited before a document is given to somebody who fetches it. */
  beforeDocument: (address: string) => Promise<unknown> | undefined = () => undefined;
  /** Hosts that verify nothing before they answer; all others refuse what is not signed as it should be. */
  readonly careless = new Set<string>();
  private readonly server;
  private readonly relay: { actor: string; inbox: string };
  private readonly verifying = new Map<string, Promise<KeyObject>>();
  private lastId = 0;

  private constructor(port: number, relay: { actor: string; inbox: string }) {
    this.port = port;
    this.relay = relay;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async open(port: number, relay: { actor: string; inbox: string }): Promise<RelayFleet> {
    const fleet = new RelayFleet(port, relay);
    await new Promise<void>((listening) => void fleet.server.listen(port, '0.0.0.0', listening));
    return fleet;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => void this.server.close(closed));
  }

  host(number: number): string {
    return `127.0.${1 + (number >> 8)}.${1 + (number & 0xff)}:${this.port}`;
  }

  serverActor(number: number): string {
    return `http://${this.host(number)}/actor`;
  }

  person(number: number, name = 'alice'): string {
    return `http://${this.host(number)}/users/${name}`;
  }

  /** Posts an activity, signed by an actor. */
  async send(activity: object, signer: string, inbox = this.relay.inbox): Promise<number> {
    const body = JSON.stringify(activity);
    const url = new URL(inbox);
    const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
    const date = new Date().toUTCString();
    const signed = `(request-target): post ${url.pathname}\nhost: ${url.host}\ndate: ${date}\ndigest: ${digest}`;
    const signature = createSign('sha256').update(signed).sign(privateKey, 'base64');
    const answer = await quickFetch(inbox, {
      method: 'POST',
      body,
      headers: {
        date,
        digest,
        'content-type': 'application/activity+json',
        signature: `keyId="${signer}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",signature="${signature}"`,
      },
    });
    return answer.status;
  }

  newId(signer: string, kind: string): string {
    this.lastId += 1;
    return `${signer}/${kind}/${this.lastId}`;
  }

  /** Follows as Mastodon does, or the relay's actor; settles when the answer of the relay has arrived. */
  async follow(
    number: number,
    form: 'public' | 'actor' = 'public',
    actor = this.serverActor(number),
  ): Promise<Arrival> {
    const id = this.newId(actor, 'follows');
    const object = form === 'public' ? publicAudience : this.relay.actor;
    const context = 'https://www.w3.org/ns/activitystreams';
    await this.send({ '@context': context, id, type: 'Follow', actor, object }, actor);
    return this.arrived(number, ({ activity }) => (activity.object as { id?: string } | undefined)?.id === id);
  }

  /** A public post, as Mastodon sends it to relays. */
  post(number: number, more: { name?: string; note?: object; signed?: boolean; type?: string } = {}) {
    const actor = this.person(number, more.name);
    const id = this.newId(actor, 'statuses');
    const published = new Date().toISOString();
    const to = [publicAudience];
    const note = {
      id,
      type: 'Note',
      attributedTo: actor,
      published,
      to,
      cc: [],
      content: `<p>${id}</p>`,
      ...more.note,
    };
    this.objects.set(id, { '@context': 'https://www.w3.org/ns/activitystreams', ...note });
    return {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id: `${id}/activity`,
      type: more.type ?? 'Create',
      actor,
      published,
      to,
      cc: [],
      object: note,
      ...(more.signed !== false && { signature: signatureOf(actor) }),
    };
  }

  /** With a proof (FEP-8b32), by the key of its author unless said otherwise. */
  prove<Post extends { actor: string }>(post: Post, by = post.actor): Post {
    const key = { id: `${by}#proof-key`, privateKey: proofKeys.privateKey };
    return withProof(post as never, key, Date.now()) as never;
  }

  /** What arrived at one server. */
  at(number: number): Arrival[] {
    return this.arrivals.filter(({ host }) => host === this.host(number));
  }

  arrived(number: number, isIt: (arrival: Arrival) => boolean): Promise<Arrival> {
    return until(() => this.at(number).find(isIt), { description: `an arrival at ${this.host(number)}` });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const host = request.headers.host!;
    const address = `http://${host}${request.url!}`;
    if (request.method === 'GET') {
      await this.beforeDocument(address);
      const document = this.objects.get(address) ?? this.actorAt(address, host);
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/activity+json' });
      response.end(document && JSON.stringify(document));
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const activity = JSON.parse(text) as Record<string, unknown>;
    const isVerified = await this.verify(request.url!, request.headers, text);
    // As servers do that are told of another key.
    if (isVerified && activity.type === 'Update' && activity.object === this.relay.actor) this.forgetKeys();
    const arrival = { host, activity, text, headers: request.headers, isVerified };
    const status = isVerified || this.careless.has(host) ? await this.answers(arrival) : 401;
    if (status < 300) this.arrivals.push(arrival);
    response.writeHead(status).end();
  }

  private actorAt(address: string, host: string): object | undefined {
    const isServer = address.endsWith('/actor');
    if (!isServer && !/\/users\/\w+$/.test(address)) return undefined;
    return {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id: address,
      type: isServer ? 'Application' : 'Person',
      preferredUsername: isServer ? host.replaceAll(/[:]/g, '.') : address.slice(address.lastIndexOf('/') + 1),
      inbox: this.inboxes.get(address) ?? `${address}/inbox`,
      ...(isServer && { endpoints: { sharedInbox: `http://${host}/inbox` } }),
      summary: this.summaries.get(address) ?? '',
      publicKey: { id: `${address}#main-key`, owner: address, publicKeyPem },
      assertionMethod: [
        {
          id: `${address}#proof-key`,
          type: 'Multikey',
          controller: address,
          publicKeyMultibase: ed25519Multikey(proofKeys.publicKey),
        },
      ],
    };
  }

  /** Draft-cavage, by the headers that the signature names. */
  private async verify(path: string, headers: IncomingHttpHeaders, text: string): Promise<boolean> {
    const digest = `SHA-256=${createHash('sha256').update(text).digest('base64')}`;
    const fields = new Map(
      Array.from(String(headers.signature).matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name!, value!]),
    );
    const covered = fields.get('headers');
    // RFC 9421.
    if (covered === undefined) return false;
    const lines = covered.split(' ').map((name) => {
      return name === '(request-target)' ? `${name}: post ${path}` : `${name}: ${headers[name]}`;
    });
    const key = await this.keyOf(fields.get('keyId')!);
    const isSigned = createVerify('sha256').update(lines.join('\n')).verify(key, fields.get('signature')!, 'base64');
    return isSigned && headers.digest === digest && covered.includes('digest');
  }

  /** As servers do whose verification has failed. */
  forgetKeys(): void {
    this.verifying.clear();
  }

  private keyOf(keyId: string): Promise<KeyObject> {
    const known = this.verifying.get(keyId);
    if (known !== undefined) return known;
    const fetched = quickFetch(keyId.split('#')[0]!, { headers: { accept: 'application/activity+json' } })
      .then((answer) => answer.json() as Promise<{ publicKey: { publicKeyPem: string } }>)
      .then((actor) => createPublicKey(actor.publicKey.publicKeyPem));
    this.verifying.set(keyId, fetched);
    return fetched;
  }
}

/** Only its presence matters to a relay: subscribers verify it. */
function signatureOf(actor: string): object {
  return {
    type: 'RsaSignature2017',
    creator: `${actor}#main-key`,
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'c2lnbmVk',
  };
}
