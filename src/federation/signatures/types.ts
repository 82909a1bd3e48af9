/** The shapes that signing and verifying share. */
import type { KeyObject } from 'node:crypto';

/** Who signs: the keyId that the receiver will look up, and the private half of that key. */
export interface RequestSigner {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** A received request as its signature sees it. */
export interface SignedRequest {
  readonly method: string;
  /** The request target exactly as it stood in the request line, query included; never a re-serialised URL. */
  readonly rawTarget: string;
  /**
   * Names in lower case; a header that came several times has its values joined by ", " in the order received. `host` is
   * the public host that the sender addressed, not that of a proxy's upstream.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's bytes as received; undefined where the method has none. */
  readonly body: Uint8Array | undefined;
}

/** A parsed `Signature` header (draft-cavage-http-signatures-12, section 2.1). */
export interface RequestSignature {
  readonly keyId: string;
  /** In lower case; undefined when the sender left it out. */
  readonly algorithm: string | undefined;
  /** What was signed, in order, in lower case; `date` alone when the sender left it out. */
  readonly signedHeaders: readonly string[];
  readonly signature: Buffer;
  /** Seconds since 1970, exactly as written: the signing string repeats the text. */
  readonly created: string | undefined;
  readonly expires: string | undefined;
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
