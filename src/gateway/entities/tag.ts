/** The Tag entity. */
import { z } from 'zod';
import { idOfName } from '../../actors/policy/derived-ids.ts';
import { tagPath } from '../../actors/text/hashtags.ts';
import type { DayOfUse } from '../../actors/uses.queries.ts';
import { flag, id, smallId, text, url } from './values.ts';

/** One of the last seven days: its midnight in seconds since 1970, and its counts, as strings. */
export const DayOfUseEntity = z.strictObject({ day: smallId, uses: smallId, accounts: smallId });

export const TagEntity = z
  .strictObject({
    id,
    name: text.min(1),
    url,
    history: z.array(DayOfUseEntity).length(7),
    /** Wherever there is a user: apps with typed models cannot read a tag without it. */
    following: flag.optional(),
    featuring: flag.optional(),
  })
  .meta({ id: 'Tag' });
export type TagEntity = z.infer<typeof TagEntity>;
export type RelationToTag = Pick<TagEntity, 'following' | 'featuring'>;

const daySeconds = 24 * 60 * 60;

export function tagEntity(
  name: string,
  history: readonly DayOfUse[],
  origin: string,
  toUser: RelationToTag,
): TagEntity {
  return {
    id: idOfName(name),
    name,
    url: origin + tagPath(name),
    history: historyEntity(history),
    ...toUser,
  };
}

export function historyEntity(history: readonly DayOfUse[]): z.output<typeof DayOfUseEntity>[] {
  return history.map(({ day, uses, accounts }) => ({
    day: String(day * daySeconds),
    uses: String(uses),
    accounts: String(accounts),
  }));
}
