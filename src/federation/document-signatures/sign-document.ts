/** Signs activities of this server, so that others can pass them on: relays, and the authors of threads (RsaSignature2017). */
import { sign } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../outbound/fetcher/json.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { SignedDocuments } from '../../services/signed-documents.ts';
import { secondsTime } from '../documents/times.ts';
import { securityContext } from './bundled-contexts.ts';

/** `createdAt`: milliseconds since 1970. Rejects with Failure overloaded. */
export async function signDocument(
  signedDocuments: Pick<SignedDocuments, 'hashes'>,
  document: JsonObject,
  { signer, createdAt }: { readonly signer: RequestSigner; readonly createdAt: number },
): Promise<JsonObject> {
  const options = { type: 'RsaSignature2017', creator: signer.keyId, created: secondsTime(createdAt) };
  const whole = { ...document, '@context': withSecurity(document['@context']) };
  const hashes = await signedDocuments.hashes({ document: whole, options });
  return { ...whole, signature: { ...options, signatureValue: await signed(hashes, signer) } };
}

/** On the native thread pool. */
function signed(text: string, { privateKey }: RequestSigner): Promise<string> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text), privateKey, (error, signature) => {
      if (error === null) resolve(signature.toString('base64'));
      else reject(error);
    });
  });
}

function withSecurity(context: JsonValue | undefined): JsonValue {
  const contexts = Array.isArray(context) ? (context as readonly JsonValue[]) : [context ?? []].flat();
  return contexts.includes(securityContext) ? contexts : [...contexts, securityContext];
}
