/**
 * Proofs of documents (FEP-8b32, cryptosuite eddsa-jcs-2022): an Ed25519 signature over two hashes, of the proof's own
 * properties and of the document, both as canonical JSON. They are over what is read here, so that no JSON-LD is needed.
 */
import { hash, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { decodeBase58, encodeBase58 } from '../../outbound/signatures/multikey.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { DocumentRefusal } from '../../services/signed-documents.ts';
import { secondsTime } from '../documents/times.ts';
import { isSameHost, referenceOf, timeOf } from '../documents/values.ts';
import { canonicalJson } from './canonical-json.ts';
import { documentLimits } from './limits.ts';

export interface ProofClaim {
  /** Without `proofValue`. */
  readonly options: JsonObject;
  readonly value: Buffer;
  /** The id of the key. */
  readonly creator: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const form = { type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022', proofPurpose: 'assertionMethod' } as const;
const valueBytes = 64;

/** The first proof of a document that can be verified here. It claims to be by the actor of the document. */
export function proofClaim({ proof, actor }: JsonObject): ProofClaim | undefined {
  const proofs = Array.isArray(proof) ? (proof as readonly JsonValue[]).slice(0, documentLimits.proofsMax) : [proof];
  for (const one of proofs) {
    const claim = isJsonObject(one) ? readProof(one, referenceOf(actor)) : undefined;
    if (claim !== undefined) return claim;
  }
  return undefined;
}

function readProof(proof: JsonObject, actor: string | undefined): ProofClaim | undefined {
  const { proofValue, ...options } = proof;
  const { verificationMethod: creator, created } = options;
  for (const [name, value] of Object.entries(form)) if (options[name] !== value) return undefined;
  const createdAt = timeOf(created);
  if (typeof creator !== 'string' || createdAt === undefined || actor === undefined) return undefined;
  if (!isSameHost(creator, actor) || typeof proofValue !== 'string' || proofValue[0] !== 'z') return undefined;
  const value = proofValue.length > 2 * valueBytes ? undefined : decodeBase58(proofValue.slice(1));
  return value?.length === valueBytes ? { options, value, creator, createdAt } : undefined;
}

/**
 * `readable`: the document that the owner of the key has proved, without what is not part of that. `keyOf` finds the key, and
 * is asked only for what is not outdated. Rejects like `keyOf`.
 */
export async function proveByProof(
  json: JsonObject,
  claim: ProofClaim,
  now: number,
  keyOf: (creator: string) => Promise<KeyObject | undefined>,
): Promise<{ readonly readable: JsonObject } | { readonly refusal: DocumentRefusal }> {
  const { createdAt, creator, value } = claim;
  const { ageMilliseconds, skewMilliseconds } = documentLimits;
  const expiresAt = timeOf(claim.options.expires);
  const isExpired = expiresAt !== undefined && expiresAt + skewMilliseconds < now;
  if (isExpired || createdAt < now - ageMilliseconds || createdAt > now + skewMilliseconds)
    return { refusal: 'outdated' };
  const key = await keyOf(creator);
  if (key?.asymmetricKeyType !== 'ed25519') return { refusal: 'other key' };
  // A signature beside it (RsaSignature2017) was added later, over the document with its proof.
  const { proof: _proof, signature: _signature, ...document } = json;
  const context = document['@context'];
  const own = claim.options['@context'];
  if (own !== undefined && !startsWith(context, own)) return { refusal: 'malformed' };
  const proved = own === undefined ? document : { ...document, '@context': own };
  // Fedify leaves the context of the document out of the proof, and proves it all the same.
  const configurations = own === undefined ? [claim.options, withContext(claim.options, context)] : [claim.options];
  const fits = configurations.some((options) => verify(null, hashesOf(options, proved), key, value));
  return fits ? { readable: document } : { refusal: 'signature mismatch' };
}

/** The document with a proof by a key of its signer. 0.2 ms for a post. */
export function withProof(
  document: JsonObject,
  { id, privateKey }: NonNullable<RequestSigner['proofKey']>,
  createdAt: number,
): JsonObject {
  const whole = { ...document, '@context': withIntegrity(document['@context']) };
  const about = { ...form, verificationMethod: id, created: secondsTime(createdAt) };
  const options = withContext(about, whole['@context']);
  const value = sign(null, hashesOf(options, whole), privateKey);
  return { ...whole, proof: { ...options, proofValue: `z${encodeBase58(value)}` } };
}

function hashesOf(options: JsonObject, document: JsonObject): Buffer {
  const [first, second] = [options, document].map((json) => hash('sha256', canonicalJson(json), 'buffer'));
  return Buffer.concat([first!, second!]);
}

function withContext(options: JsonObject, context: JsonValue | undefined): JsonObject {
  return context === undefined ? options : { '@context': context, ...options };
}

/** Whether the context of a document begins with that of its proof. */
function startsWith(context: JsonValue | undefined, start: JsonValue): boolean {
  const [all, first] = [context ?? [], start].map((value) => [value].flat() as readonly JsonValue[]);
  return first!.every(
    (entry, index) => all![index] !== undefined && canonicalJson(entry) === canonicalJson(all![index]!),
  );
}

const integrityContext = 'https://w3id.org/security/data-integrity/v1';

function withIntegrity(context: JsonValue | undefined): JsonValue {
  return [...([context ?? []].flat() as readonly JsonValue[]), integrityContext];
}
