/**
 * The timeline of a list, for its owner. The owner of a list never changes, and the ring of a removed list is dropped
 * before its removal is answered: so storage is not read where the owner is cached and the ring is warm.
 */
import type { PageBounds } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { Feeds, HomePage } from '../../services/feeds.ts';
import type { Services } from '../../services/services.ts';
import { ownList } from '../lists/own-list.ts';

/** Approximate memory of two ids. */
const ownerBytes = 64;

export interface ListTimelineServices extends Pick<Services, 'snapshots' | 'caches'> {
  readonly feeds: Pick<Feeds, 'list' | 'warmList'>;
}

export class ListTimeline {
  private readonly services: ListTimelineServices;
  private readonly owners: SizedMap<Id, Id>;

  constructor(services: ListTimelineServices) {
    const { caches } = services;
    this.services = services;
    this.owners = new SizedMap({ bytesMax: caches.bytesMax('listOwners'), bytesOf: () => ownerBytes });
    caches.measure('listOwners', this.owners);
  }

  /** Throws Failure notFound for somebody else's list. */
  page(accountId: Id, listId: Id, bounds: PageBounds): HomePage | Promise<HomePage> {
    const { feeds } = this.services;
    const warm = this.owners.get(listId) === accountId ? feeds.warmList(listId, bounds) : undefined;
    if (warm !== undefined) return warm;
    ownList(this.services, accountId, listId);
    this.owners.set(listId, accountId);
    return feeds.list(listId, bounds);
  }
}
