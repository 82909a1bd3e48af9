/** Where this server keeps its media: the bucket or the folder of the options, or a folder of the data folder; and where it kept them before. */
import { existsSync } from 'node:fs';
import type { Options } from '../options/table.ts';
import type { S3Options } from '../outbound/s3/s3-bucket.ts';
import type { S3Store } from '../outbound/s3/s3-store.ts';
import type { BlobStore, BlobStores } from '../services/blobs/blob-store.ts';
import { FolderStore, unfinishedFolder } from '../services/blobs/folder-store.ts';
import { MovingStore } from '../services/blobs/moving-store.ts';
import { blobFolder } from './folder/data-folder.ts';

/** Rejects with an Error whose message is a sentence, for a bucket without keys. */
export async function openBlobStores(options: Options, dataDirectory: string): Promise<BlobStores> {
  const { mediaS3Endpoint: endpoint, mediaS3PreviousEndpoint: previousEndpoint } = options;
  const previous = previousEndpoint === undefined ? [] : [await bucketBefore(previousEndpoint, options)];
  const [place, ...others] = foldersOf(options, dataDirectory);
  const folderBetween = unfinishedFolder(place);
  if (endpoint === undefined)
    return { current: new FolderStore(place), earlier: [...previous, ...others.flatMap(existing)], folderBetween };
  const before = [...previous, ...[place, ...others].flatMap(existing)];
  return { current: await bucket(endpoint, options), earlier: before, folderBetween };
}

/** That of the options first. */
function foldersOf({ mediaFolder }: Options, dataDirectory: string): [string, ...string[]] {
  const own = blobFolder(dataDirectory);
  return mediaFolder === undefined ? [own] : [mediaFolder, own];
}

function existing(folder: string): FolderStore[] {
  return existsSync(folder) ? [new FolderStore(folder)] : [];
}

/** What reads and writes them as one. */
export function joined(stores: BlobStores): BlobStore {
  return stores.earlier.length === 0 ? stores.current : new MovingStore(stores);
}

function bucket(endpoint: string, options: Options): Promise<S3Store> {
  const { mediaS3Region: region, mediaS3Bucket: name, mediaS3PathStyle: pathStyle } = options;
  const { mediaS3AccessKey: accessKeyId, mediaS3SecretKey: secretAccessKey, mediaS3Public: publicAddress } = options;
  const keys = demandKeys('MURMURATION_MEDIA_S3', accessKeyId, secretAccessKey);
  return open({ endpoint, region, bucket: name, pathStyle, ...keys, publicAddress });
}

function bucketBefore(endpoint: string, options: Options): Promise<S3Store> {
  const { mediaS3PreviousRegion: region, mediaS3PreviousBucket: name, mediaS3PreviousPathStyle: pathStyle } = options;
  const { mediaS3PreviousAccessKey: accessKeyId, mediaS3PreviousSecretKey: secretAccessKey } = options;
  const keys = demandKeys('MURMURATION_MEDIA_S3_PREVIOUS', accessKeyId, secretAccessKey);
  return open({ endpoint, region, bucket: name, pathStyle, ...keys });
}

/** Loaded where there is a bucket: the HTTP client costs each thread 80 ms of CPU. */
async function open(options: S3Options): Promise<S3Store> {
  const { S3Store } = await import('../outbound/s3/s3-store.ts');
  return new S3Store(options);
}

function demandKeys(prefix: string, accessKeyId: string | undefined, secretAccessKey: string | undefined) {
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(`A bucket for media needs both keys: ${prefix}_ACCESS_KEY and ${prefix}_SECRET_KEY.`);
  return { accessKeyId, secretAccessKey };
}
