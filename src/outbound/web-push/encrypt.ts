/**
 * Encrypts web push messages for one subscription: the standard form (RFC 8291, aes128gcm), and the draft that older apps
 * and their relays read (draft-ietf-webpush-encryption-04, aesgcm). Synchronous: ECDH is nearly all of the cost.
 */
import { createCipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

/** Of the subscription: an uncompressed point of P-256, and the secret that it shares with the server. */
export interface PushKeys {
  readonly publicKey: Buffer;
  readonly auth: Buffer;
}

/** Drawn anew for each message; given by tests only. */
export interface Ephemeral {
  readonly keyPair: ECDH;
  readonly salt: Buffer;
}

export interface EncryptedDraft {
  readonly body: Buffer;
  readonly salt: Buffer;
  readonly publicKey: Buffer;
}

export const pushCurve = 'prime256v1';
export const pushAuthBytes = 16;
const saltBytes = 16;
const keyBytes = 16;
const nonceBytes = 12;
const secretBytes = 32;
/** Push services take bodies of 4096 bytes: one record. */
const recordBytes = 4_096;
const endOfRecord = Buffer.of(2);
const noPadding = Buffer.alloc(2);
/** Salt, record size, length of the key, the key (RFC 8188 section 2.1). */
const headerBytes = saltBytes + 4 + 1 + 65;
const tagBytes = 16;
/** The longest plain text that either form carries in a body of that size. */
export const pushPlainBytesMax = recordBytes - headerBytes - endOfRecord.length - tagBytes;

const authInfo = Buffer.from('Content-Encoding: auth\0');
const nonceInfo = Buffer.from('Content-Encoding: nonce\0');
const standardKeyInfo = Buffer.from('Content-Encoding: aes128gcm\0');
const draftKeyInfo = Buffer.from('Content-Encoding: aesgcm\0');
const webPushInfo = Buffer.from('WebPush: info\0');
/** The curve, and the length of the key that follows. */
const draftCurve = Buffer.from('P-256\0');
const pointLength = Buffer.of(0, 65);

function drawEphemeral(): Ephemeral {
  const keyPair = createECDH(pushCurve);
  keyPair.generateKeys();
  return { keyPair, salt: randomBytes(saltBytes) };
}

/** The whole body, header included. Throws for a public key that is no point of the curve, as `encryptDraft` does. */
export function encryptStandard(plain: Buffer, keys: PushKeys, { keyPair, salt }: Ephemeral = drawEphemeral()): Buffer {
  const publicKey = keyPair.getPublicKey();
  const info = Buffer.concat([webPushInfo, keys.publicKey, publicKey]);
  const secret = derive(keys.auth, keyPair.computeSecret(keys.publicKey), info, secretBytes);
  const extracted = hmac(salt, secret);
  const sealed = seal(
    [plain, endOfRecord],
    expand(extracted, standardKeyInfo, keyBytes),
    expand(extracted, nonceInfo, nonceBytes),
  );
  const sizes = Buffer.allocUnsafe(5);
  sizes.writeUInt32BE(recordBytes, 0);
  sizes.writeUInt8(publicKey.length, 4);
  return Buffer.concat([salt, sizes, publicKey, ...sealed]);
}

/** The salt and the public key are sent in headers. */
export function encryptDraft(
  plain: Buffer,
  keys: PushKeys,
  { keyPair, salt }: Ephemeral = drawEphemeral(),
): EncryptedDraft {
  const publicKey = keyPair.getPublicKey();
  const secret = derive(keys.auth, keyPair.computeSecret(keys.publicKey), authInfo, secretBytes);
  const extracted = hmac(salt, secret);
  const context = Buffer.concat([draftCurve, pointLength, keys.publicKey, pointLength, publicKey]);
  const sealed = seal(
    [noPadding, plain],
    expand(extracted, Buffer.concat([draftKeyInfo, context]), keyBytes),
    expand(extracted, Buffer.concat([nonceInfo, context]), nonceBytes),
  );
  return { body: Buffer.concat(sealed), salt, publicKey };
}

function seal(parts: readonly Buffer[], key: Buffer, nonce: Buffer): Buffer[] {
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  return [...parts.map((part) => cipher.update(part)), cipher.final(), cipher.getAuthTag()];
}

/** HKDF with SHA-256 (RFC 5869): `crypto.hkdfSync` costs twice as much for outputs of one block. */
function derive(salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer {
  return expand(hmac(salt, secret), info, bytes);
}

/** One block is enough for everything here. */
function expand(extracted: Buffer, info: Buffer, bytes: number): Buffer {
  return createHmac('sha256', extracted).update(info).update(firstBlock).digest().subarray(0, bytes);
}

const firstBlock = Buffer.of(1);

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
