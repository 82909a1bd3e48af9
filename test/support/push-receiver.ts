/** An app that receives push messages: its keys, and reading what arrives, by an implementation that is not ours. */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { decrypt } from 'http_ece';

export interface PushMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export class PushReceiver {
  private readonly keyPair = createECDH('prime256v1');
  readonly auth = randomBytes(16).toString('base64url');
  readonly publicKey: string;

  constructor() {
    this.publicKey = this.keyPair.generateKeys('base64url');
  }

  /** As browsers give them to their pages. */
  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.publicKey, auth: this.auth };
  }

  /** Whether a message of either form is for this receiver. */
  canRead(message: PushMessage): boolean {
    try {
      this.read(message);
      return true;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  }

  read({ headers, body }: PushMessage): string {
    const common = { privateKey: this.keyPair, authSecret: this.auth };
    if (headers['content-encoding'] === 'aes128gcm')
      return decrypt(body, { ...common, version: 'aes128gcm' }).toString();
    const salt = /^salt=([\w-]{22})$/.exec(String(headers.encryption))?.[1];
    const dh = /^dh=([\w-]{87});p256ecdsa=[\w-]{87}$/.exec(String(headers['crypto-key']))?.[1];
    if (headers['content-encoding'] !== 'aesgcm' || salt === undefined || dh === undefined)
      throw new Error('the headers are of neither form');
    return decrypt(body, { ...common, version: 'aesgcm', salt, dh }).toString();
  }
}

/** The claims of who sends (RFC 8292), and its public key; throws an Error where the signature is not of that key. */
export function readVapid({ headers }: PushMessage): { claims: Record<string, unknown>; publicKey: string } {
  const authorization = String(headers.authorization);
  const standard = /^vapid t=([^,]+),k=([\w-]{87})$/.exec(authorization);
  const draft = /^WebPush (\S+)$/.exec(authorization);
  const token = standard?.[1] ?? draft?.[1] ?? '';
  const publicKey = standard?.[2] ?? String(headers['crypto-key']).split(';p256ecdsa=')[1] ?? '';
  const [header = '', claims = '', signature = ''] = token.split('.');
  const key = createPublicKey({ key: spkiOf(publicKey), format: 'der', type: 'spki' });
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is of another key');
  if (JSON.parse(Buffer.from(header, 'base64url').toString()).alg !== 'ES256') throw new Error('of another algorithm');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), publicKey };
}

/** The fixed beginning of a key of P-256 (RFC 5480), before its point. */
function spkiOf(publicKey: string): Buffer {
  const start = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
  return Buffer.concat([start, Buffer.from(publicKey, 'base64url')]);
}
