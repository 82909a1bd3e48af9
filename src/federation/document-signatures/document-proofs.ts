/**
 * Proves by its own signature (RsaSignature2017, as Mastodon makes it) who wrote a document that somebody else has passed
 * on. The signature is over two hashes: of its own properties, and of the document in canonical form (RDF, URDNA2015).
 */
import { constants, type KeyObject, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../outbound/fetcher/json.ts';
import type { DocumentRefusal, SignedDocuments } from '../../services/signed-documents.ts';
import { isSameHost, referenceOf, timeOf } from '../documents/values.ts';
import { activityLimits } from '../limits.ts';
import { documentLimits } from './limits.ts';

export interface SignatureClaim {
  /** The id of the key. */
  readonly creator: string;
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Undefined for a document without such a signature. It claims to be by the actor of the document. */
export function signatureClaim(json: JsonObject): SignatureClaim | undefined {
  const { signature } = json;
  if (!isJsonObject(signature) || signature.type !== 'RsaSignature2017') return undefined;
  const { creator, signatureValue: value } = signature;
  const createdAt = timeOf(signature.created);
  const actor = referenceOf(json.actor);
  if (typeof creator !== 'string' || typeof value !== 'string' || createdAt === undefined) return undefined;
  if (actor === undefined || !isSameHost(creator, actor)) return undefined;
  return { creator, value, createdAt };
}

/** Old documents prove nothing: whoever has one could bring it again, in the place of a later one. */
function isOutdated({ createdAt }: SignatureClaim, { signature }: JsonObject, now: number): boolean {
  const expiresAt = isJsonObject(signature) ? timeOf(signature.expires) : undefined;
  const { ageMilliseconds, skewMilliseconds } = documentLimits;
  const isExpired = expiresAt !== undefined && expiresAt + skewMilliseconds < now;
  return isExpired || createdAt < now - ageMilliseconds || createdAt > now + skewMilliseconds;
}

export interface ProofServices {
  readonly signedDocuments: SignedDocuments;
  now(): number;
}

/** What somebody else passes on. */
export interface PassedOn {
  readonly json: JsonObject;
  /** The same, as received. */
  readonly text: string;
  readonly claim: SignatureClaim;
  /** A relay brings it: it waits for everything else. */
  readonly isSpare: boolean;
}

/**
 * `readable`: what this server reads of the document, all of it signed by the owner of the key. `keyOf` finds the key, and
 * is asked only for what has an acceptable form. Rejects with Failure overloaded, and like `keyOf`.
 */
export async function proveDocument(
  { signedDocuments, now }: ProofServices,
  { json, text, claim, isSpare }: PassedOn,
  keyOf: (creator: string) => Promise<KeyObject | undefined>,
): Promise<{ readonly readable: JsonObject } | { readonly refusal: DocumentRefusal }> {
  if (isOutdated(claim, json, now())) return { refusal: 'outdated' };
  const examined = await signedDocuments.examine(text, isSpare);
  if ('refusal' in examined) return examined;
  const key = await keyOf(claim.creator);
  if (key?.asymmetricKeyType !== 'rsa') return { refusal: 'other key' };
  const signed = Buffer.from(examined.hashes);
  const padded = { key, padding: constants.RSA_PKCS1_PADDING };
  if (!verify('sha256', signed, padded, Buffer.from(claim.value, 'base64'))) return { refusal: 'signature mismatch' };
  const readable = parseJsonObject(Buffer.from(examined.readable), activityLimits.jsonDepthMax);
  return readable === undefined ? { refusal: 'malformed' } : { readable };
}
