/** Names of blobs, made of their bytes. */
import { createHmac } from 'node:crypto';
import type { BlobName } from './blob-store.ts';

/** The ending by which browsers, players and proxies know a media type. */
const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'application/gzip': 'gz',
};

/** The media type of a blob; the inverse of what its name ends with. */
export function mediaTypeOf(name: BlobName): string {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return Object.keys(endings).find((mediaType) => endings[mediaType] === ending) ?? 'application/octet-stream';
}

/** Whether everybody who knows its name gets it: not what belongs to one account alone. */
export function isShownToAll(name: BlobName): boolean {
  return mediaTypeOf(name) !== 'application/gzip';
}

/** A key of its own for names, so that they tell nothing about the other uses of the secret. */
export function namingSecretOf({ formSecret }: { readonly formSecret: string }): string {
  return createHmac('sha256', formSecret).update('names of blobs').digest('base64url');
}

/** HMAC-SHA-256 (RFC 2104) of bytes under a secret of the server. The media type must be one that is kept. */
export async function blobNameOf(
  bytes: AsyncIterable<Uint8Array>,
  mediaType: string,
  secret: string,
): Promise<BlobName> {
  const ending = endings[mediaType];
  if (ending === undefined) throw new Error(`no blob is kept of ${mediaType}`);
  const digest = createHmac('sha256', secret);
  for await (const chunk of bytes) digest.update(chunk);
  return `${digest.digest('base64url')}.${ending}` as BlobName;
}
