/**
 * The checks of a signed request that need no key: form, coverage, digest, clock and host. They cost a few microseconds
 * and precede any fetch for the sender.
 *
 * Invariants:
 * 1. A signature that passes covers a time, and the body's digest or, without a body, host and request target.
 * 2. Only covered values count: an unsigned `created` or `expires` neither replaces the date nor extends the lifetime.
 */
import { checkContentDigest, checkDigest } from './digest.ts';
import { parseSignatureHeader, signatureHeaderOf } from './draft-cavage.ts';
import { signatureLimits } from './limits.ts';
import { parseMessageSignature } from './message-signatures.ts';
import type { RequestSignature, SignatureRefusal, SignedRequest } from './types.ts';

export interface ExaminationContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The hosts of this server: lower case, with the port unless it is the scheme's default. */
  readonly ownHosts: ReadonlySet<string>;
}

export type Examination =
  | {
      readonly ok: true;
      readonly signature: RequestSignature;
      /** Milliseconds since 1970. */
      readonly signedAt: number;
      /** It names this server. Others may have got the same request, and brought it here (docs/decisions/0012). */
      readonly isForHost: boolean;
    }
  | { readonly ok: false; readonly refusal: SignatureRefusal };

/** Parses the signature of a request and makes every check that needs no key. Pass the result to `verifyRequest`. */
export function examineRequest(request: SignedRequest, context: ExaminationContext): Examination {
  const header = signatureHeaderOf(request.headers);
  if (header === undefined) return { ok: false, refusal: 'unsigned' };
  // Only RFC 9421 writes signatures between colons. Looking up a header is not free.
  const inputs = header.includes('=:') ? request.headers.get('signature-input') : undefined;
  const signature = inputs === undefined ? parseSignatureHeader(header) : parseMessageSignature(inputs, header);
  if (signature === undefined) return { ok: false, refusal: 'malformed' };
  const covered = coveredBy(signature);
  const signedAt = signedTime(request, signature, covered);
  const refusal =
    checkCoverage(request, signature, covered) ??
    checkTime(signature, signedAt, covered, context.now) ??
    checkHost(request, context.ownHosts) ??
    checkBody(request, signature);
  if (refusal !== undefined) return { ok: false, refusal };
  return { ok: true, signature, signedAt: signedAt!, isForHost: covered.includes('host') };
}

/** What a signature covers, in the words of draft-cavage; one of RFC 9421 always covers its own parameters. */
function coveredBy({ signedHeaders, messageParameters, expires }: RequestSignature): readonly string[] {
  if (messageParameters === undefined) return signedHeaders;
  const has = (...names: readonly string[]) => names.some((name) => signedHeaders.includes(name));
  return [
    '(created)',
    ...(expires === undefined ? [] : ['(expires)']),
    ...(has('@target-uri', '@authority', 'host') ? ['host'] : []),
    ...(has('@method') && has('@target-uri', '@request-target', '@path') ? ['(request-target)'] : []),
    ...(has('content-digest') ? ['digest'] : []),
  ];
}

function checkCoverage(
  request: SignedRequest,
  { algorithm, messageParameters }: RequestSignature,
  covered: readonly string[],
): SignatureRefusal | undefined {
  const isNamedForHash = messageParameters === undefined && algorithm !== undefined && algorithm !== 'hs2019';
  const pseudoTime = covered.includes('(created)') || covered.includes('(expires)');
  // Section 2.3: the time pseudo-headers are undefined for algorithms named after a hash.
  if (pseudoTime && isNamedForHash) return 'malformed';
  if (!covered.includes('date') && !covered.includes('(created)')) return 'coverageTooSmall';
  const namesHost = covered.includes('host');
  if (hasBody(request)) {
    // As in Mastodon: RFC 9421 always names the host, and of a body draft-cavage need not.
    const isEnough = covered.includes('digest') && (namesHost || messageParameters === undefined);
    return isEnough ? undefined : 'coverageTooSmall';
  }
  if (!namesHost) return 'coverageTooSmall';
  return covered.includes('(request-target)') || covered.includes('digest') ? undefined : 'coverageTooSmall';
}

/** A POST counts as having a body even when it is empty: receivers demand its digest, so we do. */
function hasBody(request: SignedRequest): boolean {
  return request.body !== undefined || (request.method !== 'GET' && request.method !== 'HEAD');
}

function checkTime(
  signature: RequestSignature,
  signedAt: number | undefined,
  covered: readonly string[],
  now: number,
): SignatureRefusal | undefined {
  if (signedAt === undefined) return 'dateInvalid';
  let expiresAt = signedAt + signatureLimits.lifetimeMilliseconds;
  if (covered.includes('(expires)')) {
    if (signature.expires === undefined) return 'headerAbsent';
    expiresAt = Math.min(Number(signature.expires) * 1000, signedAt + signatureLimits.lifetimeMillisecondsMax);
  }
  const skew = signatureLimits.clockSkewMilliseconds;
  return now < signedAt - skew || now > expiresAt + skew ? 'dateOutsideWindow' : undefined;
}

/** The signed time: `(created)` where covered, else the `Date` header. */
function signedTime(
  request: SignedRequest,
  signature: RequestSignature,
  covered: readonly string[],
): number | undefined {
  if (covered.includes('(created)')) {
    return signature.created === undefined ? undefined : Number(signature.created) * 1000;
  }
  return parseHttpDate(request.headers.get('date'));
}

const httpDatePattern = /^[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds since 1970 of an HTTP date (RFC 9110, section 5.6.7, the one form in use); undefined for others. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDatePattern.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function checkHost(request: SignedRequest, ownHosts: ReadonlySet<string>): SignatureRefusal | undefined {
  const host = request.headers.get('host')?.trim().toLowerCase();
  if (host === undefined) return 'headerAbsent';
  return ownHosts.has(host) || ownHosts.has(host.replace(/:(?:443|80)$/, '')) ? undefined : 'hostForeign';
}

const emptyBody = new Uint8Array(0);

function checkBody(request: SignedRequest, { messageParameters }: RequestSignature): SignatureRefusal | undefined {
  if (!hasBody(request)) return undefined;
  const isMessage = messageParameters !== undefined;
  const digest = request.headers.get(isMessage ? 'content-digest' : 'digest');
  if (digest === undefined) return 'headerAbsent';
  return (isMessage ? checkContentDigest : checkDigest)(digest, request.body ?? emptyBody);
}
