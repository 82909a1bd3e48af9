/** The Search entity, assembled from encoded statuses. */
import { z } from 'zod';
import { AccountEntity } from './account.ts';
import { CollectionEntity } from './collection.ts';
import { StatusEntity } from './status-schema.ts';
import { TagEntity } from './tag.ts';
import { text } from './values.ts';

const found = {
  accounts: z.array(AccountEntity),
  statuses: z.array(StatusEntity),
  collections: z.array(CollectionEntity),
};

export const SearchEntity = z.strictObject({ ...found, hashtags: z.array(TagEntity) }).meta({ id: 'Search' });

/** Version 1: tags are names only (behaviour of the Mastodon API). */
export const SearchEntityV1 = z.strictObject({ ...found, hashtags: z.array(text) }).meta({ id: 'V1Search' });

/** `accounts` and `statuses` are JSON arrays. */
export function searchBody(
  accounts: Uint8Array,
  statuses: Uint8Array,
  hashtags: readonly (TagEntity | string)[],
  collections: readonly CollectionEntity[],
): Buffer {
  return Buffer.concat([
    Buffer.from('{"accounts":'),
    accounts,
    Buffer.from(',"statuses":'),
    statuses,
    Buffer.from(`,"hashtags":${JSON.stringify(hashtags)},"collections":${JSON.stringify(collections)}}`),
  ]);
}
