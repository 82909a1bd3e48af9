/** The options of the service that keeps backups: the bucket is named where a backup is made. */
import { bucketOptions } from './bucket-options.ts';

const [endpoint, region, _bucket, accessKey, secretKey, pathStyle] = bucketOptions('backupS3', 'BACKUP_S3', {
  endpoint: 'Origin of an S3-compatible service that keeps backups made with "murmuration backup s3://BUCKET/PREFIX".',
  bucket: 'The service for backups',
});

export const backupOptions = [endpoint, region, accessKey, secretKey, pathStyle] as const;
