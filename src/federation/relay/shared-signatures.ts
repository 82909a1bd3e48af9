/**
 * Which subscribers take a signature that is not made for their host. Each is asked once: a spoiled signature must be
 * refused, which shows that the answer depends on it, and then the right one must be taken. Servers that answer before
 * they verify, or demand their host in it, get a signature of their own. A refusal of both says nothing about either: such a
 * server may lack the key for a moment, or block the relay, and is asked again later.
 */
import type { DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import type { LaneHost } from '../../outbound/lanes/log.ts';
import type { SignedHeaders } from '../../outbound/signatures/sign-request.ts';

export interface SharedSignaturePorts {
  /** Whether a subscriber takes a signature that is not made for it; undefined where that is not known. */
  takesShared(number: number): boolean | undefined;
  /** That was found out. */
  learned(host: LaneHost, takesShared: boolean): void;
}

type Way = 'own' | 'shared' | 'prove';

type Post = (headers: SignedHeaders) => Promise<DeliveryResult>;

export class SharedSignatures {
  private readonly ports: SharedSignaturePorts;
  /** Subscribers that are being asked. */
  private readonly proving = new Set<number>();

  constructor(ports: SharedSignaturePorts) {
    this.ports = ports;
  }

  /** How the next request to a subscriber is signed. One request at a time is the proof. */
  wayTo(number: number): Way {
    const takesShared = this.ports.takesShared(number);
    if (takesShared === true) return 'shared';
    if (takesShared === false || this.proving.has(number)) return 'own';
    this.proving.add(number);
    return 'prove';
  }

  /** Returns the answer to the right signature, or to the spoiled one where that was taken, or there was none. */
  async prove(host: LaneHost, headers: SignedHeaders, post: Post): Promise<DeliveryResult> {
    const spoiled = await post({ ...headers, signature: spoil(headers.signature!) });
    this.proving.delete(host.number);
    // No answer says nothing: the next request asks again.
    if (!spoiled.ok || spoiled.status >= 500 || spoiled.status === 429) return spoiled;
    if (!isSignatureRefused(spoiled)) {
      this.ports.learned(host, false);
      return spoiled;
    }
    const right = await post(headers);
    if (right.ok && right.status < 300) this.ports.learned(host, true);
    return right;
  }

  /** Whether a signature of its own must be tried instead. */
  isRefused(host: LaneHost, result: DeliveryResult): boolean {
    if (!result.ok) return false;
    // Where the spoiled signature was taken, what it said may have been dropped.
    return isSignatureRefused(result) || this.ports.takesShared(host.number) === false;
  }

  /** The answer to a signature of its own, after the one for all was refused. */
  answeredOwn(host: LaneHost, result: DeliveryResult): void {
    if (result.ok && result.status < 300) this.ports.learned(host, false);
  }
}

function isSignatureRefused(result: DeliveryResult): boolean {
  return result.ok && (result.status === 401 || result.status === 403);
}

const signaturePattern = /signature="([^"]+)"$/;

/** As long as the right one, and in base64. */
function spoil(signature: string): string {
  return signature.replace(signaturePattern, (_whole, value: string) => {
    const first = value.startsWith('A') ? 'B' : 'A';
    return `signature="${first}${value.slice(1)}"`;
  });
}
