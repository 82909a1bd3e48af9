/** In which lists of statuses with media a status is. */
import { isInPublicTimeline, isInTagTimelines } from '../../policy/visibility.ts';
import { mediaListOfTag } from '../../timelines.state.ts';
import { isLocal, type Status } from './statuses.records.ts';

/** A reblog has those of its original. */
export function hasOwnMedia({ attachments, reblogOfId }: Pick<Status, 'attachments' | 'reblogOfId'>): boolean {
  return attachments.length > 0 && reblogOfId === undefined;
}

/** Those of its tags and of the public timeline; none without media. */
export function mediaListsOf(status: Status): string[] {
  if (!hasOwnMedia(status)) return [];
  const lists = isInTagTimelines(status) ? status.tags.map(({ name }) => mediaListOfTag(name)) : [];
  if (isInPublicTimeline(status)) lists.push(isLocal(status) ? 'local' : 'remote');
  return lists;
}
