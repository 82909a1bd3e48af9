/**
 * The `Digest` header of a body (RFC 3230 as draft-cavage senders use it). We write `SHA-256=…` with the algorithm in
 * upper case, because some receivers compare it literally; we read any case and any number of algorithms.
 */
import { hash } from 'node:crypto';
import { signatureLimits } from './limits.ts';

/** The value of a `Digest` header for a body. Costs one SHA-256; compute it once per body. */
export function digestHeader(body: Uint8Array): string {
  return `SHA-256=${hash('sha256', body, 'base64')}`;
}

export interface DigestEntry {
  /** In lower case. */
  readonly algorithm: string;
  /** Base64 as written. */
  readonly value: string;
}

const entryPattern = /^\s*([A-Za-z0-9-]+)=([A-Za-z0-9+/_-]+={0,2})\s*$/;

/** Of `Content-Digest` (RFC 9530). */
const contentEntryPattern = /^\s*([a-z0-9*_.-]+)=:([A-Za-z0-9+/]+={0,2}):\s*$/;

/** The entries of a `Digest` header in order; undefined for a malformed one, or one with a repeated algorithm. */
export function parseDigestHeader(header: string, pattern = entryPattern): DigestEntry[] | undefined {
  if (header.length > signatureLimits.digestCharactersMax) return undefined;
  const parts = header.split(',', signatureLimits.digestAlgorithmsMax + 1);
  if (parts.length > signatureLimits.digestAlgorithmsMax) return undefined;
  const entries: DigestEntry[] = [];
  for (const part of parts) {
    const match = pattern.exec(part);
    if (match === null) return undefined;
    const algorithm = match[1]!.toLowerCase();
    if (entries.some((entry) => entry.algorithm === algorithm)) return undefined;
    entries.push({ algorithm, value: match[2]! });
  }
  return entries;
}

/** Of a header with SHA-256 alone. */
const usualCharacters = 'SHA-256='.length + 44;

export type DigestRefusal = 'digestMalformed' | 'digestUnsupported' | 'digestMismatch';

/**
 * Compares a `Digest` header with the body. At least one algorithm must be known, and every known one must match.
 * Returns the reason for a mismatch, undefined for a match.
 */
export function checkDigest(header: string, body: Uint8Array): DigestRefusal | undefined {
  // Fast path: nearly all senders write the header as we do.
  if (header.length === usualCharacters && header === digestHeader(body)) return undefined;
  return compare(parseDigestHeader(header), body);
}

/** The same of a `Content-Digest` header (RFC 9530), which goes with signatures of RFC 9421. */
export function checkContentDigest(header: string, body: Uint8Array): DigestRefusal | undefined {
  return compare(parseDigestHeader(header, contentEntryPattern), body);
}

function compare(entries: readonly DigestEntry[] | undefined, body: Uint8Array): DigestRefusal | undefined {
  if (entries === undefined) return 'digestMalformed';
  let known = 0;
  for (const { algorithm, value } of entries) {
    const name = algorithm === 'sha-256' ? 'sha256' : algorithm === 'sha-512' ? 'sha512' : undefined;
    if (name === undefined) continue;
    known += 1;
    if (!Buffer.from(value, 'base64').equals(hash(name, body, 'buffer'))) return 'digestMismatch';
  }
  return known === 0 ? 'digestUnsupported' : undefined;
}
