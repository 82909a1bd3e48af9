/** Tags as the API shows them, with their use in the last days. */
import { dayOf } from '../../actors/session/session.messages.ts';
import { tagHistory } from '../../actors/tags.queries.ts';
import type { Services } from '../../services/services.ts';
import { type TagEntity, tagEntity } from './tag.ts';

/** In slices (see TimeSlices): the history of a busy tag is long. */
export function* tagsWithHistory(
  { snapshots, addresses, now }: Pick<Services, 'snapshots' | 'addresses' | 'now'>,
  names: readonly string[],
): Generator<undefined, TagEntity[]> {
  const today = dayOf(now());
  const entities: TagEntity[] = [];
  for (const name of names) {
    if (entities.length > 0) yield;
    entities.push(tagEntity(name, yield* tagHistory(snapshots, name, today), addresses.origin));
  }
  return entities;
}
