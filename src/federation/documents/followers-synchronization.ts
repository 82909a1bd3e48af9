/**
 * The header by which two servers notice that they disagree about who follows an account (FEP-8fcf). It goes with posts
 * for followers only, which the receiving server gives to those whom it believes to follow the author.
 */
import { createHash } from 'node:crypto';
import { parseParameters } from '../../outbound/signatures/draft-cavage.ts';

export const synchronizationHeader = 'collection-synchronization';

export interface FollowersSynchronization {
  /** The collection of all followers. */
  readonly collectionId: string;
  /** Where the receiving server may read which of its accounts are in it. */
  readonly url: string;
  /** Of these accounts, in lower-case hexadecimal. */
  readonly digest: string;
}

const digestPattern = /^[0-9a-f]{64}$/i;

/**
 * SHA-256 of every address, combined by exclusive or, in lower-case hexadecimal: the order does not matter, and the
 * digest of nobody is zero.
 */
export function followersDigest(uris: Iterable<string>): string {
  const digest = Buffer.alloc(32);
  for (const uri of uris) {
    const hash = createHash('sha256').update(uri).digest();
    for (let at = 0; at < hash.length; at += 1) digest[at]! ^= hash[at]!;
  }
  return digest.toString('hex');
}

/** In the syntax of a `Signature` header. */
export function writeSynchronization({ collectionId, url, digest }: FollowersSynchronization): string {
  return `collectionId="${collectionId}", url="${url}", digest="${digest}"`;
}

/** Undefined for a header that is malformed. */
export function readSynchronization(header: string): FollowersSynchronization | undefined {
  const parameters = parseParameters(header);
  const [collectionId, url] = [parameters?.get('collectionid'), parameters?.get('url')];
  const digest = parameters?.get('digest');
  if (collectionId === undefined || url === undefined || digest === undefined) return undefined;
  return digestPattern.test(digest) ? { collectionId, url, digest: digest.toLowerCase() } : undefined;
}
