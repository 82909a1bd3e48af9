/**
 * The work on documents with a signature (RsaSignature2017) that is done on the pool: their canonical form, and whether
 * what was signed is what this server reads. Keys never come here.
 */
import { createHash } from 'node:crypto';
import jsonld, { type JsonLdDocument } from 'jsonld';
import type { RemoteDocument } from 'jsonld/jsonld-spec.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '../../outbound/fetcher/json.ts';
import type { ExaminedDocument, UnsignedDocument } from '../../services/signed-documents.ts';
import { activityLimits } from '../limits.ts';
import { bundledContext, identityContext } from './bundled-contexts.ts';
import { documentLimits } from './limits.ts';
import { meaningOf } from './meaning.ts';
import { readablePart, refusedForm } from './plain-form.ts';
import { readingContext } from './reading-context.ts';

/** Only what is part of this server: nothing is ever fetched. */
async function documentLoader(address: string): Promise<RemoteDocument> {
  const context = bundledContext(address);
  if (context === undefined) throw new Error(`the context ${address} is not bundled`);
  const document = { '@context': context } as RemoteDocument['document'];
  return { documentUrl: address, document };
}

const processing = { documentLoader, base: '', safe: false };

/** `text`: the document with its signature, in JSON. Never throws for what others have written. */
export async function examineSigned(text: string): Promise<ExaminedDocument> {
  const json = parseJsonObject(Buffer.from(text), activityLimits.jsonDepthMax);
  if (json === undefined || !isJsonObject(json.signature)) return { refusal: 'malformed' };
  if (text.length > documentLimits.bytesMax) return { refusal: 'too complex' };
  const { signature, ...document } = json;
  const refusal = refusedForm(document) ?? (isFlat(signature) ? undefined : 'unsupported form');
  if (refusal !== undefined) return { refusal };
  try {
    return await examine(document, signature);
  } catch (error) {
    // The processor reports invalid contexts and documents, and those that would take too long, in many ways.
    if (error instanceof Error) return { refusal: 'malformed' };
    throw error;
  }
}

async function examine(document: JsonObject, signature: JsonObject): Promise<ExaminedDocument> {
  const expanded = await expand(document);
  const signed = meaningOf(expanded);
  if ('refusal' in signed) return signed;
  const readable = readablePart(document);
  const read = meaningOf(await expand({ ...readable, '@context': readingContext }));
  if ('refusal' in read) return read;
  if (read.meaning !== signed.meaning) return { refusal: 'other meaning' };
  const optionsHash = await hashOfOptions(signature);
  return { hashes: `${optionsHash}${await hashOf(expanded, true)}`, readable: JSON.stringify(readable) };
}

async function expand(document: JsonObject): Promise<JsonValue> {
  return (await jsonld.expand(document as JsonLdDocument, processing)) as JsonValue;
}

/** What is to be signed for a document of this server: `options` are those of the signature. */
export async function hashesForSignature({ document, options }: UnsignedDocument): Promise<string> {
  return `${await hashOfOptions(options as JsonObject)}${await hashOf(document as JsonObject, false)}`;
}

function hashOfOptions({ type: _type, id: _id, signatureValue: _value, ...options }: JsonObject): Promise<string> {
  return hashOf({ ...options, '@context': identityContext }, false);
}

/** SHA-256 of the canonical N-Quads, in hexadecimal digits: the signature is over this text. */
async function hashOf(document: JsonValue, isExpanded: boolean): Promise<string> {
  const options = { ...processing, skipExpansion: isExpanded };
  const statements = await jsonld.canonize(document as JsonLdDocument, options);
  return createHash('sha256').update(statements).digest('hex');
}

/** Nothing but texts, each of them a property of the vocabulary. */
function isFlat(signature: JsonObject): boolean {
  return refusedForm(signature) === undefined && Object.values(signature).every((value) => typeof value === 'string');
}
