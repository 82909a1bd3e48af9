/** The place of backups that an operator names: a folder, or `s3://BUCKET/PREFIX` at the service of the options. */
import type { Options } from '../../options/table.ts';
import { S3Bucket } from '../../outbound/s3/s3-bucket.ts';
import { BucketPlace } from './bucket-place.ts';
import { FolderPlace } from './folder-place.ts';
import type { Place } from './place.ts';

const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(?:\/([\w./-]*))?$/;

/** Throws an Error whose message is a sentence. */
export function openPlace(named: string, options: Options): Place {
  if (!named.startsWith('s3:')) return new FolderPlace(named);
  const [, bucket, path = ''] = bucketPattern.exec(named) ?? [];
  if (bucket === undefined)
    throw new Error(`${named} is not a bucket and a prefix, such as s3://backups/social.example.org.`);
  const { backupS3Endpoint: endpoint, backupS3Region: region, backupS3PathStyle: pathStyle } = options;
  const { backupS3AccessKey: accessKeyId, backupS3SecretKey: secretAccessKey } = options;
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      'Backups in a bucket need its service and both keys: MURMURATION_BACKUP_S3_ENDPOINT, MURMURATION_BACKUP_S3_ACCESS_KEY and MURMURATION_BACKUP_S3_SECRET_KEY.',
    );
  const prefix = path.replace(/\/+$/, '');
  const requests = new S3Bucket({ endpoint, region, bucket, pathStyle, accessKeyId, secretAccessKey });
  return new BucketPlace(named, requests, prefix === '' ? '' : `${prefix}/`);
}
