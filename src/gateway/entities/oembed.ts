/** The rich answer of oEmbed 1.0. */
import { z } from 'zod';
import { count, text, url } from './values.ts';

export const OEmbedEntity = z.strictObject({
  type: z.literal('rich'),
  version: z.literal('1.0'),
  title: text,
  author_name: text.min(1),
  author_url: url,
  provider_name: text.min(1),
  provider_url: url,
  cache_age: count,
  html: text.min(1),
  width: count,
  height: count.nullable(),
});
