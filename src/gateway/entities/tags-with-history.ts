/** Tags as the API shows them to a viewer, with their use in the last days. */
import { featuresTag } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import { followsTag } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Services } from '../../services/services.ts';
import { type RelationToTag, type TagEntity, tagEntity } from './tag.ts';

/** Nothing where there is no user. */
export function relationToTag(reader: Reader, userId: Id | undefined, name: string): RelationToTag {
  if (userId === undefined) return {};
  return { following: followsTag(reader, userId, name), featuring: featuresTag(reader, userId, name) };
}

/** In slices (see TimeSlices): the history of a busy tag is long. */
export function* tagsWithHistory(
  { snapshots, tagHistories, addresses }: Pick<Services, 'snapshots' | 'tagHistories' | 'addresses'>,
  names: readonly string[],
  userId: Id | undefined,
): Generator<undefined, TagEntity[]> {
  const entities: TagEntity[] = [];
  for (const name of names) {
    if (entities.length > 0) yield;
    const history = yield* tagHistories.of(name);
    entities.push(tagEntity(name, history, addresses.origin, relationToTag(snapshots, userId, name)));
  }
  return entities;
}
