/** Reads a page of ListObjectsV2 (the S3 API). Its XML is flat, and its names are those of blobs, which need no escapes. */
import type { StoredBlob } from '../../services/blobs/blob-store.ts';

export interface Listing {
  readonly blobs: readonly StoredBlob[];
  /** Where the next page begins; undefined after the last. */
  readonly nextToken: string | undefined;
}

export function readListing(xml: string): Listing {
  const blobs = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, entry = '']) => ({
    name: element(entry, 'Key') ?? '',
    bytes: Number(element(entry, 'Size') ?? 0),
    storedAt: Date.parse(element(entry, 'LastModified') ?? ''),
  }));
  const isTruncated = element(xml, 'IsTruncated') === 'true';
  return { blobs, nextToken: isTruncated ? element(xml, 'NextContinuationToken') : undefined };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function element(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!);
}
