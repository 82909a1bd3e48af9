/** Makes and sends the requests of the relay: an activity as it was received, or an announcement of its object. */
import type { Delivery, DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { outcomeOfResponse } from '../../outbound/lanes/http-outcome.ts';
import type { LaneHost, PreparedEntry, SendRequest } from '../../outbound/lanes/log.ts';
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

/** What is sent of an entry in one of its two forms. */
interface Content {
  readonly body: Buffer;
  /** The `Digest` header. */
  readonly digest: string;
}

export interface RelayRequestPorts {
  now(): number;
  /** Of the relay's actor. Rejects while it has no key. */
  signer(): RequestSigner | Promise<RequestSigner>;
  sign(request: RequestToSign): Promise<SignedHeaders>;
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  /** Nothing is sent to this host[:port] any more. */
  isSuspended(host: string): boolean;
  /** A subscriber has taken what was sent. */
  delivered(number: number): void;
  report(problem: Problem): void;
}

const contentType = 'application/activity+json';
const contentBytes = 300;

export class RelayRequests {
  private readonly addresses: Addresses;
  private readonly ports: RelayRequestPorts;
  /** By the sequence of the entry, and whether it is forwarded. */
  private readonly contents: SizedMap<string, Content>;

  constructor(addresses: Addresses, ports: RelayRequestPorts, bytesMax: number) {
    this.addresses = addresses;
    this.ports = ports;
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
    const { body, digest } = this.contentOf(entry, entry.isForwardedTo(host.number));
    try {
      const { keyId, privateKey } = await this.ports.signer();
      const dateMilliseconds = this.ports.now();
      const request = { method: 'POST', url, dateMilliseconds, digest, contentType, keyId, privateKey } as const;
      const headers = await this.ports.sign(request);
      return async () => {
        const outcome = outcomeOfResponse(await this.ports.send({ url: inbox, body, headers }));
        if (outcome.verdict === 'delivered') this.ports.delivered(host.number);
        return outcome;
      };
    } catch (error) {
      // A fault of this server, which would recur at the next attempt.
      this.ports.report({ level: 'error', message: 'requests of the relay cannot be signed', error });
      return undefined;
    }
  }

  private contentOf(entry: RelayEntry, isForwarded: boolean): Content {
    const key = `${entry.sequence} ${isForwarded}`;
    const known = this.contents.use(key);
    if (known !== undefined) return known;
    const { body } = entry.logged;
    const bytes =
      isForwarded && body !== undefined ? bufferOf(body) : Buffer.from(JSON.stringify(this.announce(entry)));
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
