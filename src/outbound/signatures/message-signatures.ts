/**
 * Reading of HTTP Message Signatures (RFC 9421): the first signature of a request that names its key, and the string that
 * was signed. Components with parameters of their own (`;sf`, `;bs`, `;req`) are not read: no server signs them.
 */
import { signatureLimits } from './limits.ts';
import type { RequestSignature, SignedRequest } from './types.ts';

const label = '[ \\t]*([a-z*][a-z0-9_.*-]*)=';
const value = `"[^"\\\\]*"|[0-9]{1,15}|[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_\`|~-]*`;
const inputPattern = new RegExp(
  `${label}(\\(((?: *"[^"\\\\]*")*) *\\)((?:; *[a-z*][a-z0-9_.*-]*(?:=(?:${value}))?)*))[ \\t]*(,|$)`,
  'y',
);
const signaturePattern = new RegExp(`${label}:([A-Za-z0-9+/]+={0,2}):[ \\t]*(,|$)`, 'y');
const parameterPattern = new RegExp(`; *([a-z*][a-z0-9_.*-]*)(?:=(${value}))?`, 'g');
const componentPattern = /^@?[a-z0-9!#$%&'*+.^_`|~-]+$/;
const secondsPattern = /^[0-9]{1,12}$/;

/** Names of algorithms (section 6.2.2) as those of draft-cavage. */
const algorithmNames: ReadonlyMap<string, string> = new Map([
  ['rsa-v1_5-sha256', 'rsa-sha256'],
  ['rsa-v1_5-sha512', 'rsa-sha512'],
]);

/** Of the headers `Signature-Input` and `Signature`; undefined when one is malformed, or no signature names its key. */
export function parseMessageSignature(inputs: string, signatures: string): RequestSignature | undefined {
  const inputOf = members(inputs, inputPattern);
  const signatureOf = members(signatures, signaturePattern);
  if (inputOf === undefined || signatureOf === undefined) return undefined;
  for (const [name, [, , parameters = '', components = '', attributes = '']] of inputOf) {
    const signature = signatureOf.get(name)?.[2];
    if (signature === undefined) continue;
    const found = readSignature(parameters, components, attributes, signature);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The members of a dictionary (RFC 8941) by their names; undefined when one is malformed or repeated. */
function members(header: string, pattern: RegExp): Map<string, RegExpExecArray> | undefined {
  if (header.length > signatureLimits.headerCharactersMax) return undefined;
  const found = new Map<string, RegExpExecArray>();
  pattern.lastIndex = 0;
  for (let count = 0; count < signatureLimits.messageSignaturesMax; count += 1) {
    const match = pattern.exec(header);
    if (match === null || found.has(match[1]!)) return undefined;
    found.set(match[1]!, match);
    if (match.at(-1) === '') return found;
  }
  return undefined;
}

function readSignature(
  parameters: string,
  components: string,
  attributes: string,
  signature: string,
): RequestSignature | undefined {
  const signedHeaders = [...components.matchAll(/"([^"]*)"/g)].map(([, name]) => name!);
  if (signedHeaders.length > signatureLimits.signedHeadersMax) return undefined;
  if (new Set(signedHeaders).size !== signedHeaders.length) return undefined;
  if (!signedHeaders.every((name) => componentPattern.test(name))) return undefined;
  const attributeOf = new Map<string, string>();
  for (const [, name, text = ''] of attributes.matchAll(parameterPattern)) {
    if (attributeOf.has(name!)) return undefined;
    attributeOf.set(name!, text.replace(/^"|"$/g, ''));
  }
  const keyId = attributeOf.get('keyid');
  if (keyId === undefined || keyId === '' || keyId.length > signatureLimits.keyIdCharactersMax) return undefined;
  if (signature.length > signatureLimits.signatureCharactersMax) return undefined;
  const [created, expires] = [attributeOf.get('created'), attributeOf.get('expires')];
  if (![created, expires].every((text) => text === undefined || secondsPattern.test(text))) return undefined;
  const algorithm = attributeOf.get('alg');
  return {
    keyId,
    algorithm: algorithm === undefined ? undefined : (algorithmNames.get(algorithm) ?? algorithm),
    signedHeaders,
    signature: Buffer.from(signature, 'base64'),
    created,
    expires,
    messageParameters: parameters,
  };
}

/** The string that a signature covers (section 2.5). Undefined when a component is no part of the request. */
export function signatureBase(
  request: Omit<SignedRequest, 'body'>,
  components: readonly string[],
  parameters: string,
): string | undefined {
  let text = '';
  for (const name of components) {
    const found = componentOf(name, request);
    if (found === undefined) return undefined;
    text += `"${name}": ${found}\n`;
  }
  return `${text}"@signature-params": ${parameters}`;
}

/** Section 2.2; the authority is that of the public origin, as the scheme is: a proxy may have changed both. */
function componentOf(name: string, { method, origin, rawTarget, headers }: Omit<SignedRequest, 'body'>) {
  const [path, ...query] = rawTarget.split('?');
  switch (name) {
    case '@method':
      return method;
    case '@target-uri':
      return origin + rawTarget;
    case '@authority':
      return origin.slice(origin.indexOf('://') + '://'.length);
    case '@scheme':
      return origin.slice(0, origin.indexOf(':'));
    case '@request-target':
      return rawTarget;
    case '@path':
      return path;
    case '@query':
      return `?${query.join('?')}`;
    default:
      return name.startsWith('@') ? undefined : headers.get(name)?.trim();
  }
}
