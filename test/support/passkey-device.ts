/**
 * A device with passkeys, as a browser speaks for it (WebAuthn, level 3): it makes keys and signs challenges, in JSON. What
 * honest devices never do can be asked of it too: another origin, another relying party, a counter that stands still.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Options {
  readonly challenge: string;
  readonly rpId?: string | undefined;
  readonly rp?: { readonly id?: string | undefined };
  readonly user?: { readonly id: string };
}

interface Dishonesty {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string | undefined;
  readonly type?: string;
  readonly counter?: number;
}

const userPresent = 1;
const userVerified = 4;
const hasKey = 64;

export class PasskeyDevice {
  readonly id = randomBytes(16);
  private readonly origin: string;
  private readonly key: KeyObject;
  private readonly publicKey: KeyObject;
  private userHandle = '';
  private counter = 0;

  constructor(origin: string) {
    this.origin = origin;
    ({ privateKey: this.key, publicKey: this.publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  }

  /** The answer to what the server offers. */
  make({ challenge, rp, user }: Options, lies: Dishonesty = {}): string {
    this.userHandle = user?.id ?? '';
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.cose()]);
    const data = Buffer.concat([this.head(lies.rpId ?? rp?.id ?? '', hasKey, lies), credential]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ]);
    return this.answer({
      clientDataJSON: this.client('webauthn.create', challenge, lies).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to what the server asks for. */
  use({ challenge, rpId }: Options, lies: Dishonesty = {}): string {
    this.counter += 1;
    const client = this.client('webauthn.get', challenge, lies);
    const data = this.head(lies.rpId ?? rpId ?? '', 0, lies);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.key).toString('base64url'),
      userHandle: 'userHandle' in lies ? lies.userHandle : this.userHandle,
    });
  }

  private answer(response: object): string {
    const id = this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  private client(type: string, challenge: string, lies: Dishonesty): Buffer {
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? this.origin }));
  }

  private head(rpId: string, flags: number, { isVerified = true, counter = this.counter }: Dishonesty): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | userPresent | (isVerified ? userVerified : 0));
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }

  /** ES256 on P-256 (RFC 9053). */
  private cose(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    return cborMap([
      [cborNumber(1), cborNumber(2)],
      [cborNumber(3), cborNumber(-7)],
      [cborNumber(-1), cborNumber(1)],
      [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

/** The few forms of CBOR (RFC 8949) that are needed here. */
function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  return length < 256 ? Buffer.of((major << 5) | 24, length) : Buffer.of((major << 5) | 25, length >> 8, length & 255);
}

const cborNumber = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
