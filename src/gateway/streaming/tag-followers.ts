/** Which accounts that have streams follow which tags: a public status with one of them goes to their homes. */
import { followedTagNames } from '../../actors/account/followed-tags/followed-tags.queries.ts';
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { isInTagTimelines } from '../../actors/policy/visibility.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Viewer } from './viewer.ts';

const noTags: readonly string[] = [];
const nobody: ReadonlySet<Viewer> = new Set();

export class TagFollowers {
  private readonly snapshots: Snapshots;
  private readonly tags = new Map<Viewer, readonly string[]>();
  private readonly followers = new Map<string, Set<Viewer>>();

  constructor(snapshots: Snapshots) {
    this.snapshots = snapshots;
  }

  /** Call when the account gets its first stream, and again when its followed tags have changed. */
  load(viewer: Viewer): void {
    this.remove(viewer);
    const names = followedTagNames(this.snapshots, viewer.accountId);
    if (names.length === 0) return;
    this.tags.set(viewer, names);
    for (const name of names) this.followers.set(name, (this.followers.get(name) ?? new Set()).add(viewer));
  }

  remove(viewer: Viewer): void {
    for (const name of this.tags.get(viewer) ?? noTags) {
      const followers = this.followers.get(name);
      followers?.delete(viewer);
      if (followers?.size === 0) this.followers.delete(name);
    }
    this.tags.delete(viewer);
  }

  /** Those whose homes have the status by one of its tags. */
  of(facts: StatusFacts): ReadonlySet<Viewer> {
    if (this.followers.size === 0 || facts.tags.length === 0 || !isInTagTimelines(facts)) return nobody;
    const found = new Set<Viewer>();
    for (const tag of facts.tags)
      for (const viewer of this.followers.get(tag) ?? nobody)
        if (viewer.accountId !== facts.accountId) found.add(viewer);
    return found;
  }
}
