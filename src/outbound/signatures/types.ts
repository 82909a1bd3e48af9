/** Types for signing and verifying. */
import type { KeyObject } from 'node:crypto';

/** The signer: the keyId that the receiver will look up, and the private key. */
export interface RequestSigner {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** Of Ed25519, with which documents are proved; absent for the server itself. */
  readonly proofKey?: { readonly id: string; readonly privateKey: KeyObject } | undefined;
  /** With the key that has replaced this one: for whoever knows only that by now. */
  readonly successor?: RequestSigner | undefined;
}

/** The headers of a request. */
export type SignedHeaders = Pick<ReadonlyMap<string, string>, 'get'>;

/** A received request as needed for its signature. */
export interface SignedRequest {
  readonly method: string;
  /** The public origin of this server, in lower case. */
  readonly origin: string;
  /** The request target exactly as received, query included; never a re-serialised URL. */
  readonly rawTarget: string;
  /**
   * Names in lower case; values of repeated headers are joined by ", " in the order received. `host` is the public host
   * that the sender addressed, not that of a proxy's upstream.
   */
  readonly headers: SignedHeaders;
  /** The received bytes; undefined for a method without a body. */
  readonly body: Uint8Array | undefined;
}

/** A parsed signature of draft-cavage-http-signatures-12 (section 2.1), or of RFC 9421. */
export interface RequestSignature {
  readonly keyId: string;
  /** In lower case; undefined when omitted. */
  readonly algorithm: string | undefined;
  /** The signed headers in order, in lower case; only `date` when omitted. */
  readonly signedHeaders: readonly string[];
  readonly signature: Buffer;
  /** Seconds since 1970, exactly as written: the signed string repeats the text. */
  readonly created: string | undefined;
  readonly expires: string | undefined;
  /** Of RFC 9421, where names of components stand for those of headers: `@signature-params` as written. */
  readonly messageParameters: string | undefined;
}

/** Why a signature was refused; a closed list, safe to log. */
export type SignatureRefusal =
  | 'unsigned'
  | 'malformed'
  | 'coverageTooSmall'
  | 'headerAbsent'
  | 'digestMalformed'
  | 'digestUnsupported'
  | 'digestMismatch'
  | 'dateInvalid'
  | 'dateOutsideWindow'
  | 'hostForeign'
  | 'algorithmUnsupported'
  | 'signatureMismatch';
