/**
 * Tells push services who sends (RFC 8292): a signed token for each origin. It is made once for hours, because a
 * signature costs a fifth of a message.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

export interface VapidOptions {
  /** P-256, base64url: an uncompressed point, and its scalar. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** Whom the operator of a push service may ask: `mailto:` or `https:`. */
  readonly contact: string;
  now(): number;
}

const hour = 3_600_000;
/** Push services refuse tokens that end in more than a day. */
const lifetimeMilliseconds = 20 * hour;
const renewedBeforeEndMilliseconds = 8 * hour;
/** Origins that are remembered, the latest used last. */
const originsMax = 1_000;

const header = Buffer.from(JSON.stringify({ typ: 'JWT', alg: 'ES256' })).toString('base64url');

interface KnownToken {
  readonly token: string;
  readonly endsAt: number;
}

export class Vapid {
  readonly publicKey: string;
  private readonly options: VapidOptions;
  private readonly key: KeyObject;
  private readonly known = new Map<string, KnownToken>();

  constructor(options: VapidOptions) {
    this.options = options;
    this.publicKey = options.publicKey;
    this.key = privateKeyOf(options);
  }

  /** The token for a scheme://host[:port]. */
  tokenFor(origin: string): string {
    const now = this.options.now();
    const known = this.known.get(origin);
    const current = known !== undefined && isFresh(known, now) ? known : this.make(origin, now);
    this.known.delete(origin);
    this.known.set(origin, current);
    if (this.known.size > originsMax) this.known.delete(this.known.keys().next().value!);
    return current.token;
  }

  private make(origin: string, now: number): KnownToken {
    const endsAt = now + lifetimeMilliseconds;
    const claims = { aud: origin, exp: Math.floor(endsAt / 1_000), sub: this.options.contact };
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return { token: `${signed}.${signature.toString('base64url')}`, endsAt };
  }
}

/** Where the wall clock was set back meanwhile, the token would end too late. */
function isFresh({ endsAt }: KnownToken, now: number): boolean {
  const left = endsAt - now;
  return left >= renewedBeforeEndMilliseconds && left <= lifetimeMilliseconds;
}

function privateKeyOf({ publicKey, privateKey }: VapidOptions): KeyObject {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
}
