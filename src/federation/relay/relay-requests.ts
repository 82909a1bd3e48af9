/**
 * Makes and sends the requests of the relay: an activity as it was received, or an announcement of its object. Where a
 * subscriber has proved to take it, one signature serves all of them (docs/decisions/0057).
 */
import type { Delivery, DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { answerInEitherDialect, type PostDialects } from '../../outbound/fetcher/other-dialect.ts';
import { outcomeOfResponse } from '../../outbound/lanes/http-outcome.ts';
import type { LaneHost, PreparedEntry, SendRequest } from '../../outbound/lanes/log.ts';
import type { Dialect } from '../../outbound/signatures/dialects.ts';
import { digestHeader } from '../../outbound/signatures/digest.ts';
import type { RequestToSign, SignedHeaders } from '../../outbound/signatures/sign-request.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { Problem } from '../../runtime/ports.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { Addresses } from '../../services/addresses.ts';
import { plainContext } from '../documents/contexts.ts';
import { publicAudience } from '../documents/vocabulary.ts';
import { relayFollowers } from '../local-addresses.ts';
import type { RelayEntry } from './relay-entry.ts';
import { type SharedSignaturePorts, SharedSignatures } from './shared-signatures.ts';

type Signing = RequestSigner | Promise<RequestSigner>;

/** What is sent of an entry in one of its two forms. */
interface Content {
  readonly body: Buffer;
  /** The `Digest` header. */
  readonly digest: string;
  /** The headers for all subscribers, signed at most a minute ago. */
  shared?: { readonly headers: Promise<SignedHeaders>; readonly until: number; readonly signer: Signing } | undefined;
}

export interface RelayRequestPorts extends SharedSignaturePorts {
  now(): number;
  /** In which form to sign for a host that gets a signature of its own. */
  readonly dialects: PostDialects;
  /** Of the relay's actor. Rejects while it has no key. */
  signer(): RequestSigner | Promise<RequestSigner>;
  sign(request: RequestToSign): Promise<SignedHeaders>;
  signForAll(
    request: Pick<RequestToSign, 'dateMilliseconds' | 'keyId' | 'privateKey'> & {
      readonly digest: string;
      readonly contentType: string;
    },
  ): Promise<SignedHeaders>;
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  /** Nothing is sent to this host[:port] any more. */
  isSuspended(host: string): boolean;
  /** Waits where the operator has limited what is sent. Undefined where nothing has to be waited for. */
  egressTurn?(number: number, bytes: number): Promise<void> | undefined;
  /** A subscriber has taken what was sent. */
  delivered(number: number): void;
  report(problem: Problem): void;
}

/** One request to one inbox. */
interface Asked {
  readonly content: Content;
  readonly inbox: string;
  readonly url: URL;
  readonly host: LaneHost;
}

const contentType = 'application/activity+json';
const contentBytes = 800;
const sharedMilliseconds = 60_000;

export class RelayRequests {
  private readonly addresses: Addresses;
  private readonly ports: RelayRequestPorts;
  private readonly shared: SharedSignatures;
  /** By the sequence of the entry, and whether it is forwarded. */
  private readonly contents: SizedMap<string, Content>;

  constructor(addresses: Addresses, ports: RelayRequestPorts, bytesMax: number) {
    this.addresses = addresses;
    this.ports = ports;
    this.shared = new SharedSignatures(ports);
    this.contents = new SizedMap({ bytesMax, bytesOf: ({ body }) => body.byteLength + contentBytes });
  }

  get bytes(): number {
    return this.contents.bytes;
  }

  prepare(entry: RelayEntry): PreparedEntry {
    return { requestTo: (inbox, host) => this.make(entry, inbox, host) };
  }

  /** Never rejects. */
  private async make(entry: RelayEntry, inbox: string, host: LaneHost): Promise<SendRequest | undefined> {
    const url = URL.parse(inbox);
    if (url === null || this.ports.isSuspended(host.host)) return undefined;
    const content = this.contentOf(entry, entry.isForwardedTo(host.number));
    const asked = { content, inbox, url, host };
    const turn = this.ports.egressTurn?.(host.number, content.body.byteLength);
    if (turn !== undefined) await turn;
    try {
      const way = this.shared.wayTo(host.number);
      const dialect = this.ports.dialects.of(host.host);
      const headers = way === 'own' ? await this.ownHeaders(asked, dialect) : await this.sharedHeaders(content);
      return async () => {
        const result = await (way === 'own' ? this.sendOwn(asked, dialect, headers) : this.send(asked, headers, way));
        const outcome = outcomeOfResponse(result);
        if (outcome.verdict === 'delivered') this.ports.delivered(host.number);
        return outcome;
      };
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  private async send(asked: Asked, headers: SignedHeaders, way: 'shared' | 'prove'): Promise<DeliveryResult> {
    const { host, content } = asked;
    const post = (signed: SignedHeaders) => this.post(asked, signed);
    const result = way === 'prove' ? await this.shared.prove(host, headers, post) : await post(headers);
    if (!this.shared.isRefused(host, result)) return result;
    // It wants a signature of its own, or says nothing about this one.
    try {
      // A key that was replaced meanwhile says nothing about what the host takes.
      const [signedBy, signer] = await Promise.all([content.shared?.signer, this.ports.signer()]);
      const dialect = this.ports.dialects.of(host.host);
      const own = await this.sendOwn(asked, dialect, await this.ownHeaders(asked, dialect));
      if (signedBy?.privateKey === signer.privateKey) this.shared.answeredOwn(host, own);
      return own;
    } catch (error) {
      this.failed(error);
      return result;
    }
  }

  /** With a signature that was made for the host; in the other form where this one is refused. */
  private async sendOwn(asked: Asked, dialect: Dialect, headers: SignedHeaders): Promise<DeliveryResult> {
    const { host } = asked.host;
    const result = await this.post(asked, headers);
    const inOther = async (other: Dialect) => this.post(asked, await this.ownHeaders(asked, other));
    return answerInEitherDialect(this.ports.dialects, { host, dialect, result }, inOther);
  }

  private post({ inbox, content }: Asked, headers: SignedHeaders): Promise<DeliveryResult> {
    return this.ports.send({ url: inbox, body: content.body, headers });
  }

  private failed(error: unknown): void {
    // A fault of this server, which would recur at the next attempt.
    this.ports.report({ level: 'error', message: 'requests of the relay cannot be signed', error });
  }

  private async ownHeaders({ content: { digest }, url }: Asked, dialect: Dialect): Promise<SignedHeaders> {
    const { keyId, privateKey } = await this.ports.signer();
    const dateMilliseconds = this.ports.now();
    return this.ports.sign({ method: 'POST', url, dateMilliseconds, digest, contentType, keyId, privateKey, dialect });
  }

  private sharedHeaders(content: Content): Promise<SignedHeaders> {
    const now = this.ports.now();
    const present = content.shared;
    if (present !== undefined && now < present.until && now > present.until - 2 * sharedMilliseconds)
      return present.headers;
    const signer = this.ports.signer();
    const headers = this.signShared(content.digest, now, signer);
    content.shared = { headers, until: now + sharedMilliseconds, signer };
    // A failure is that of every request which waits for it; the next one signs again.
    headers.catch(() => {
      content.shared = undefined;
    });
    return headers;
  }

  private async signShared(digest: string, dateMilliseconds: number, signer: Signing): Promise<SignedHeaders> {
    const { keyId, privateKey } = await signer;
    return this.ports.signForAll({ dateMilliseconds, digest, contentType, keyId, privateKey });
  }

  private contentOf(entry: RelayEntry, isForwarded: boolean): Content {
    const key = `${entry.sequence} ${isForwarded}`;
    const known = this.contents.use(key);
    if (known !== undefined) return known;
    const { body } = entry.logged;
    const isWhole = isForwarded && body !== undefined;
    const bytes = isWhole ? bufferOf(body) : Buffer.from(JSON.stringify(this.announce(entry)));
    const content = { body: bytes, digest: digestHeader(bytes) };
    this.contents.set(key, content);
    return content;
  }

  /** Names the post, not its activity: that has no document of its own on many servers. */
  private announce({ logged: { sequence, object, at } }: RelayEntry): object {
    const { relayActor } = this.addresses;
    return {
      '@context': plainContext,
      id: `${relayActor}/announcements/${sequence}`,
      type: 'Announce',
      actor: relayActor,
      published: new Date(at).toISOString(),
      to: [relayFollowers(this.addresses), publicAudience],
      object,
    };
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
