/**
 * Parses draft-cavage-http-signatures-12: the header's parameters and the signed string. Strict where another parser
 * could read the same bytes differently (duplicates, escapes), lenient where senders vary (order, quoting of numbers,
 * case of names).
 */
import { signatureLimits } from './limits.ts';
import type { RequestSignature, SignedHeaders, SignedRequest } from './types.ts';

const parameterPattern = /[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(?:"([^"\\]*)"|([0-9]+(?:\.[0-9]+)?))[ \t]*(,|$)/y;
const schemePrefix = /^signature[ \t]+/i;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;
const secondsPattern = /^[0-9]{1,12}$/;
const expirySecondsPattern = /^[0-9]{1,12}(?:\.[0-9]{1,9})?$/;
const signedHeaderPattern = /^(?:\([a-z-]+\)|[a-z0-9!#$%&'*+.^_`|~-]+)$/;

/** The header that carries the signature: `Signature`, or `Authorization` with the scheme `Signature`. */
export function signatureHeaderOf(headers: SignedHeaders): string | undefined {
  const header = headers.get('signature');
  if (header !== undefined) return header;
  const authorization = headers.get('authorization');
  return authorization !== undefined && schemePrefix.test(authorization) ? authorization : undefined;
}

/** Parses the value of a `Signature` or `Authorization: Signature` header; undefined when it is malformed. */
export function parseSignatureHeader(header: string): RequestSignature | undefined {
  const parameters = parseParameters(header);
  if (parameters === undefined) return undefined;
  const keyId = parameters.get('keyid');
  if (keyId === undefined || keyId === '' || keyId.length > signatureLimits.keyIdCharactersMax) return undefined;
  const signature = bytesOfSignature(parameters.get('signature'));
  if (signature === undefined) return undefined;
  const signedHeaders = parseSignedHeaders(parameters.get('headers') ?? 'date');
  if (signedHeaders === undefined) return undefined;
  const created = parameters.get('created');
  if (created !== undefined && !secondsPattern.test(created)) return undefined;
  const expires = parameters.get('expires');
  if (expires !== undefined && !expirySecondsPattern.test(expires)) return undefined;
  const algorithm = parameters.get('algorithm')?.toLowerCase();
  return { keyId, algorithm, signedHeaders, signature, created, expires, messageParameters: undefined };
}

/** Undefined for anything but base64. Encoding again proves the usual form, and costs a fraction of the pattern. */
function bytesOfSignature(text: string | undefined): Buffer | undefined {
  if (text === undefined || text === '' || text.length > signatureLimits.signatureCharactersMax) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text || base64Pattern.test(text) ? bytes : undefined;
}

/** Parameter names in lower case to their values; undefined when one is malformed or repeated. */
export function parseParameters(header: string): Map<string, string> | undefined {
  if (header.length > signatureLimits.headerCharactersMax) return undefined;
  const text = header.trim().replace(schemePrefix, '');
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = 0;
  for (let count = 0; count < signatureLimits.parametersMax; count += 1) {
    const match = parameterPattern.exec(text);
    if (match === null) return undefined;
    const name = match[1]!.toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? match[3]!);
    if (match[4] === '') return parameters;
  }
  return undefined;
}

function parseSignedHeaders(text: string): string[] | undefined {
  const names = text.trim().toLowerCase().split(/ +/);
  if (names.length > signatureLimits.signedHeadersMax || new Set(names).size !== names.length) return undefined;
  return names.every((name) => signedHeaderPattern.test(name)) ? names : undefined;
}

/**
 * The string that a signature covers (draft-cavage-12, section 2.3), with `target` as the request target. Undefined
 * when a signed header is not part of the request.
 */
export function signingString(
  request: Pick<SignedRequest, 'method' | 'headers'>,
  signature: Pick<RequestSignature, 'signedHeaders' | 'created' | 'expires'>,
  target: string,
): string | undefined {
  let text = '';
  for (const name of signature.signedHeaders) {
    const value = signedValue(name, request, signature, target);
    if (value === undefined) return undefined;
    text += text === '' ? `${name}: ${value}` : `\n${name}: ${value}`;
  }
  return text;
}

function signedValue(
  name: string,
  request: Pick<SignedRequest, 'method' | 'headers'>,
  signature: Pick<RequestSignature, 'created' | 'expires'>,
  target: string,
): string | undefined {
  switch (name) {
    case '(request-target)':
      return `${request.method.toLowerCase()} ${target}`;
    case '(created)':
      return signature.created;
    case '(expires)':
      return signature.expires;
    default:
      return request.headers.get(name)?.trim();
  }
}
