/** The options of a bucket. */
import { option } from './option.ts';
import { lineOfText, onOff, webOrigin } from './values.ts';

/** Names begin with `name`, those of the environment with MURMURATION and `prefix`. Sentences of the others follow from these. */
export function bucketOptions<const Name extends string, const Prefix extends string>(
  name: Name,
  prefix: Prefix,
  sentences: { readonly endpoint: string; readonly bucket: string },
) {
  const { endpoint, bucket } = sentences;
  const named = <const Ending extends string>(ending: Ending) => `${name}${ending}` as const;
  const variable = <const Ending extends string>(ending: Ending) => `MURMURATION_${prefix}_${ending}` as const;
  return [
    option({
      name: named('Endpoint'),
      environment: variable('ENDPOINT'),
      schema: webOrigin,
      default: undefined,
      sentence: endpoint,
    }),
    option({
      name: named('Region'),
      environment: variable('REGION'),
      schema: lineOfText,
      default: 'us-east-1',
      sentence: `${bucket}: its region; many services accept any.`,
    }),
    option({
      name: named('Bucket'),
      environment: variable('BUCKET'),
      schema: lineOfText,
      default: 'media',
      sentence: `${bucket}: its name.`,
    }),
    option({
      name: named('AccessKey'),
      environment: variable('ACCESS_KEY'),
      schema: lineOfText,
      default: undefined,
      sentence: `${bucket}: the ID of its key.`,
    }),
    option({
      name: named('SecretKey'),
      environment: variable('SECRET_KEY'),
      schema: lineOfText,
      default: undefined,
      sentence: `${bucket}: its key; a secret.`,
    }),
    option({
      name: named('PathStyle'),
      environment: variable('PATH_STYLE'),
      schema: onOff,
      default: true,
      sentence: `${bucket}: whether it stands in the path of addresses (on) or in their host (off).`,
    }),
  ] as const;
}
