/** The options that say where media are: rows of the table. */
import { bucketOptions } from './bucket-options.ts';
import { option } from './option.ts';
import { lineOfText, publicBucket } from './values.ts';

export const mediaPlaceOptions = [
  option({
    name: 'mediaFolder',
    environment: 'MURMURATION_MEDIA_FOLDER',
    schema: lineOfText,
    default: undefined,
    sentence:
      'A folder for media, in place of the one in the data folder; in a cluster without a bucket one that all nodes reach.',
  }),
  ...bucketOptions('mediaS3', 'MEDIA_S3', {
    endpoint: 'Origin of an S3-compatible service that keeps media; unset, they are in a folder.',
    bucket: 'The bucket for media',
  }),
  option({
    name: 'mediaS3Public',
    environment: 'MURMURATION_MEDIA_S3_PUBLIC',
    schema: publicBucket,
    default: undefined,
    sentence:
      'How readers get media that are in the bucket. Unset, this server reads them and passes them on; "signed" redirects readers to addresses of the bucket that are signed for a day; an address, such as that of a CDN in front of a public bucket, redirects readers there.',
  }),
  ...bucketOptions('mediaS3Previous', 'MEDIA_S3_PREVIOUS', {
    endpoint:
      'Origin of the S3-compatible service that kept media before, until "murmuration media move" has moved them.',
    bucket: 'The bucket that kept media before',
  }),
] as const;
