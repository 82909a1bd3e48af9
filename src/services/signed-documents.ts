/** The service that works on documents with a signature of their own; implemented by federation/document-signatures. */

/** Why a document proves nothing; a closed list, for metrics. */
export const documentRefusals = [
  ...(['malformed', 'foreign context', 'unsupported form', 'too complex', 'other meaning'] as const),
  ...(['outdated', 'other key', 'signature mismatch'] as const),
] as const;
export type DocumentRefusal = (typeof documentRefusals)[number];

/**
 * `hashes`: the text that its signature is over. `readable`: what this server reads of it, in JSON, and nothing else: the
 * signature covers all of that.
 */
export type ExaminedDocument =
  | { readonly hashes: string; readonly readable: string }
  | { readonly refusal: DocumentRefusal };

/** A document of this server, and the properties of the signature that it gets. */
export interface UnsignedDocument {
  readonly document: object;
  readonly options: object;
}

/** Both reject with Failure overloaded where too much waits. */
export interface SignedDocuments {
  /** `text`: with its signature, in JSON. What is `spare` (relays bring it) waits for everything else, and is refused first. */
  examine(text: string, isSpare: boolean): Promise<ExaminedDocument>;
  /** What is to be signed. */
  hashes(unsigned: UnsignedDocument): Promise<string>;
}
