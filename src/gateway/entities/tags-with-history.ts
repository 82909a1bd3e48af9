/** Tags as the API shows them to a viewer, with their use in the last days. */
import { featuresTag } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import { followsTag } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { tagHistory } from '../../actors/tags.queries.ts';
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
  { snapshots, addresses, now }: Pick<Services, 'snapshots' | 'addresses' | 'now'>,
  names: readonly string[],
  userId: Id | undefined,
): Generator<undefined, TagEntity[]> {
  const today = dayOf(now());
  const entities: TagEntity[] = [];
  for (const name of names) {
    if (entities.length > 0) yield;
    const history = yield* tagHistory(snapshots, name, today);
    entities.push(tagEntity(name, history, addresses.origin, relationToTag(snapshots, userId, name)));
  }
  return entities;
}
