/** Where this server keeps its media: the bucket of the options, or a folder of the data folder. */
import type { Options } from '../options/table.ts';
import { S3Store } from '../outbound/s3/s3-store.ts';
import type { BlobStore } from '../services/blobs/blob-store.ts';
import { FolderStore } from '../services/blobs/folder-store.ts';
import { blobFolder } from './folder/data-folder.ts';

export function openBlobStore(options: Options, dataDirectory: string): BlobStore {
  const { mediaS3Endpoint: endpoint, mediaS3AccessKey: accessKeyId, mediaS3SecretKey: secretAccessKey } = options;
  if (endpoint === undefined) return new FolderStore(blobFolder(dataDirectory));
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      'A bucket for media needs both keys: MURMURATION_MEDIA_S3_ACCESS_KEY and MURMURATION_MEDIA_S3_SECRET_KEY.',
    );
  const { mediaS3Region: region, mediaS3Bucket: bucket, mediaS3PathStyle: pathStyle } = options;
  return new S3Store({ endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle });
}
