/** Which accounts with streams follow which tags: their homes get public statuses with these. */
import { followedTagNames } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import { homeFactsBelong } from '../../actors/account/home/home.queries.ts';
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { isInTagTimelines } from '../../actors/policy/visibility.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { StreamEvent } from './stream-events.ts';
import type { Viewer } from './viewer.ts';
import type { VisibilityFilter } from './visibility-filter.ts';

const nobody: ReadonlySet<Viewer> = new Set();

export class TagFollowers {
  private readonly snapshots: Snapshots;
  private readonly followers = new Map<string, Set<Viewer>>();

  constructor(snapshots: Snapshots) {
    this.snapshots = snapshots;
  }

  /** Call when the account opens its first stream, and when its followed tags have changed. */
  load(viewer: Viewer): void {
    this.remove(viewer);
    const names = followedTagNames(this.snapshots, viewer.accountId);
    viewer.followTags(names);
    for (const name of names) this.followers.set(name, (this.followers.get(name) ?? new Set()).add(viewer));
  }

  remove(viewer: Viewer): void {
    for (const name of viewer.followedTags) {
      const followers = this.followers.get(name);
      followers?.delete(viewer);
      if (followers?.size === 0) this.followers.delete(name);
    }
  }

  /** The viewers who follow one of the tags of a status in tag timelines. */
  of(facts: StatusFacts): ReadonlySet<Viewer> {
    if (this.followers.size === 0 || facts.tags.length === 0 || !isInTagTimelines(facts)) return nobody;
    const found = new Set<Viewer>();
    for (const tag of facts.tags) for (const viewer of this.followers.get(tag) ?? nobody) found.add(viewer);
    return found;
  }
}

/**
 * Whether a public event brings the status to the viewer's home only because of a tag: a status that is there because
 * of a follow arrives with another event.
 */
export function comesByTag(viewer: VisibilityFilter, { isPublic, status }: StreamEvent, snapshots: Snapshots): boolean {
  const { accountId, followedTags } = viewer;
  if (!isPublic || status === undefined || !isInTagTimelines(status)) return false;
  return status.tags.some((tag) => followedTags.includes(tag)) && !homeFactsBelong(snapshots, accountId, status);
}
