/** The Tag entity. */
import { z } from 'zod';
import type { TagDay } from '../../actors/tags.queries.ts';
import { tagPath } from '../../actors/text/hashtags.ts';
import { digestOfName } from '../../runtime/ids.ts';
import { flag, id, smallId, text, url } from './values.ts';

/** One of the last seven days: its midnight in seconds since 1970, and its counts, as strings. */
const TagDayEntity = z.strictObject({ day: smallId, uses: smallId, accounts: smallId });

export const TagEntity = z
  .strictObject({
    id,
    name: text.min(1),
    url,
    history: z.array(TagDayEntity).length(7),
    /** Wherever there is a user: apps with typed models cannot read a tag without it. */
    following: flag.optional(),
    featuring: flag.optional(),
  })
  .meta({ id: 'Tag' });
export type TagEntity = z.infer<typeof TagEntity>;
export type RelationToTag = Pick<TagEntity, 'following' | 'featuring'>;

const daySeconds = 24 * 60 * 60;

export function tagEntity(name: string, history: readonly TagDay[], origin: string, toUser: RelationToTag): TagEntity {
  return {
    id: tagId(name),
    name,
    url: origin + tagPath(name),
    history: history.map(({ day, uses, accounts }) => ({
      day: String(day * daySeconds),
      uses: String(uses),
      accounts: String(accounts),
    })),
    ...toUser,
  };
}

/** Tags have no records, so the id is derived from the name. */
function tagId(name: string): string {
  return String((digestOfName(name).readBigUInt64BE() >> 2n) | 1n);
}
