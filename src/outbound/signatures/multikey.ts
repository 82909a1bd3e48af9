/**
 * Public keys written as Multikey (W3C Controlled Identifiers, FEP-521a): multibase base58btc of a multicodec prefix and
 * the key's bytes.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { signatureLimits } from './limits.ts';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digitOfCode = new Int8Array(128).fill(-1);
for (let digit = 0; digit < alphabet.length; digit += 1) digitOfCode[alphabet.charCodeAt(digit)] = digit;

/** Multicodec 0xed and 0x1205 as unsigned varints. */
const ed25519Prefix = [0xed, 0x01] as const;
const rsaPrefix = [0x85, 0x24] as const;
const ed25519KeyBytes = 32;

/** An Ed25519 or RSA public key from its `publicKeyMultibase`; undefined when it is neither. */
export function publicKeyFromMultikey(multibase: string): KeyObject | undefined {
  if (multibase.length > signatureLimits.multikeyCharactersMax || multibase[0] !== 'z') return undefined;
  const bytes = decodeBase58(multibase.slice(1));
  if (bytes === undefined) return undefined;
  const key = bytes.subarray(2);
  try {
    if (bytes[0] === ed25519Prefix[0] && bytes[1] === ed25519Prefix[1] && key.length === ed25519KeyBytes) {
      return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') }, format: 'jwk' });
    }
    if (bytes[0] === rsaPrefix[0] && bytes[1] === rsaPrefix[1]) {
      return createPublicKey({ key, format: 'der', type: 'pkcs1' });
    }
  } catch (error) {
    // OpenSSL reports invalid key bytes in many ways; all mean the same here.
    if (error instanceof Error) return undefined;
    throw error;
  }
  return undefined;
}

/** The `publicKeyMultibase` of an Ed25519 public key. */
export function ed25519Multikey(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' });
  return `z${encodeBase58(Buffer.concat([Buffer.from(ed25519Prefix), Buffer.from(x, 'base64url')]))}`;
}

/** Quadratic, as decoding is. */
export function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let index = 0; index < digits.length; index += 1) {
      carry += digits[index]! << 8;
      digits[index] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  return (
    '1'.repeat(zeros) +
    digits
      .reverse()
      .map((digit) => alphabet[digit]!)
      .join('')
  );
}

/**
 * Decodes base58 (Bitcoin alphabet); undefined for a character outside the alphabet. Quadratic, so callers bound the
 * length.
 */
export function decodeBase58(text: string): Buffer | undefined {
  // log(58) / log(256) is slightly below 0.733.
  const bytes = Buffer.alloc(Math.ceil(text.length * 0.733) + 1);
  let start = bytes.length;
  let zeros = 0;
  while (zeros < text.length && text[zeros] === '1') zeros += 1;
  for (let index = zeros; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code < 128 ? digitOfCode[code]! : -1;
    if (digit < 0) return undefined;
    let carry = digit;
    for (let position = bytes.length - 1; position >= start || carry > 0; position -= 1) {
      carry += bytes[position]! * 58;
      bytes[position] = carry & 0xff;
      carry >>= 8;
      if (position < start) start = position;
    }
  }
  return Buffer.concat([Buffer.alloc(zeros), bytes.subarray(start)]);
}
