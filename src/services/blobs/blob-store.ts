/**
 * Where the bytes of media are kept: a folder of this machine, or an S3 bucket (outbound/s3). A blob never changes. Its
 * name is a keyed digest of its bytes, so that the same bytes are kept once and nobody can guess the name of a file by its
 * content; who refers to a blob is known to its actor (actors/blob).
 */

import type { ByteSource } from './byte-source.ts';

export interface StoredBlob {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** Rejects with Failure `storageUnavailable` when the folder or the bucket cannot be used now. */
export interface BlobStore {
  /** Copies a file. When this settles, the blob survives a loss of power. Nothing changes if it is stored already. */
  put(name: BlobName, file: string, mediaType: string): Promise<void>;
  /** Undefined where there is no such blob. */
  open(name: BlobName): Promise<ByteSource | undefined>;
  has(name: BlobName): Promise<boolean>;
  /** Where readers get it themselves; undefined where they get it through this server. It may not be there. */
  addressOf(name: BlobName): Promise<string | undefined>;
  /** The origin of these addresses. */
  readonly readersOrigin?: string | undefined;
  /** Nothing happens if it is not there. */
  delete(name: BlobName): Promise<void>;
  /** All of them, in no particular order. */
  list(): AsyncIterable<StoredBlob>;
}

/** The store that is written, and those that blobs leave (moving-store.ts). */
export interface BlobStores {
  readonly current: BlobStore;
  readonly earlier: readonly BlobStore[];
  /** For copies on their way from one to the other; a start of the server removes what is in it. */
  readonly folderBetween: string;
}

declare const blobName: unique symbol;
/** 43 characters of base64url, a dot, and the ending of the media type: see `parseBlobName`. */
export type BlobName = string & { readonly [blobName]: true };

const pattern = /^[\w-]{43}\.[a-z0-9]{2,4}$/;

/** Undefined for anything that is no name: no path can be smuggled in. */
export function parseBlobName(text: string): BlobName | undefined {
  return pattern.test(text) ? (text as BlobName) : undefined;
}
